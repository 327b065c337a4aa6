import type { BotParity, BotTrade } from '@shapecast/contracts/bot-trading'
import { signalOfDecision } from '@shapecast/engine/decisions'
import { isWithin } from '@shapecast/engine/journal'
import type { KeptDecision } from './trading-store.ts'

/** A trade, live or of a backtest. */
export type Told = Omit<BotTrade, 'id'>
export type Difference = BotParity['differences'][number]
type Cause = Pick<Difference, 'cause' | 'note'>

/** What is known of a bot's decisions and candles, by `SYMBOL time`. */
export interface Known {
  readonly decided: ReadonlyMap<string, KeptDecision>
  readonly codes: ReadonlyMap<string, number>
  /** Open, high, low and close of the candles as they are stored today. */
  readonly prices: ReadonlyMap<string, readonly number[]>
  readonly pairs: readonly string[]
  readonly step: number
  readonly targets: boolean
  readonly isVirtual: boolean
}

const keyOf = ({ symbol, side, entryTime, exitTime }: Told, withExit: boolean): string =>
  `${symbol} ${side} ${entryTime}${withExit ? ` ${exitTime}` : ''}`
const COMPARED = ['entryPrice', 'exitPrice', 'quantity', 'fees', 'exitReason'] as const
/** Whether a backtest's trade is that of a bot; what one with real money pays an exchange in funding is not compared. */
const alike = (live: Told, tested: Told): boolean =>
  keyOf(live, true) === keyOf(tested, true) &&
  COMPARED.every((name) => live[name] === tested[name]) &&
  (tested.funding === 0 || live.funding === tested.funding)

/** A trade of one side beside that of the other; null where it has none. */
export interface Apart {
  readonly live: Told | null
  readonly backtest: Told | null
}

/** Trades that differ, in the order of their entries. */
export function pairsApart(live: readonly Told[], tested: readonly Told[]): Apart[] {
  const openTested = [...tested]
  const openLive = live.filter((one) => {
    const same = openTested.findIndex((trade) => alike(one, trade))
    if (same >= 0) openTested.splice(same, 1)
    return same < 0
  })
  const pairs = new Map<string, { live: Told | null; backtest: Told | null }>()
  for (const trade of openLive) pairs.set(freeKey(pairs, trade, 'live'), { live: trade, backtest: null })
  for (const trade of openTested) {
    const pair = pairs.get(keyOf(trade, false))
    if (pair !== undefined && pair.backtest === null) pair.backtest = trade
    else pairs.set(freeKey(pairs, trade, 'backtest'), { live: null, backtest: trade })
  }
  return [...pairs.values()].sort((a, b) => (a.live ?? a.backtest)!.entryTime - (b.live ?? b.backtest)!.entryTime)
}

/** Trades that differ, in the order of their entries, each with its cause. */
export function differencesOf(lived: readonly BotTrade[], tested: readonly Told[], known: Known): Difference[] {
  const live = lived.map(({ id: _, ...trade }): Told => trade)
  let earlier: Difference | null = null
  let hasMissed = false
  return pairsApart(live, tested).map((pair) => {
    const found = causeOf(pair, known)
    const { symbol, entryTime } = (pair.live ?? pair.backtest)!
    const isSized = pair.live?.exitTime === pair.backtest?.exitTime && pair.live?.quantity !== pair.backtest?.quantity
    const follows: Cause =
      hasMissed && isSized
        ? {
            cause: 'follows_from_missed',
            note: 'Follows from a missed candle: there was other money by then, and so another size.',
          }
        : earlier === null
          ? {
              cause: 'settings_changed',
              note: `Its settings, or its balance, were others than today${known.isVirtual ? '' : ', or the exchange filled a part of its order'}.`,
            }
          : { cause: earlier.cause, note: 'Follows from an earlier difference.' }
    hasMissed ||= found?.cause === 'missed_candle' || found?.cause === 'candle_late'
    earlier = { candleTs: entryTime - known.step, symbol, ...pair, ...(found ?? follows) }
    return earlier
  })
}

/** A position that was closed in parts has several trades of one entry. */
const freeKey = (pairs: ReadonlyMap<string, unknown>, trade: Told, of: string): string =>
  pairs.has(keyOf(trade, false)) ? `${keyOf(trade, true)} ${of} ${pairs.size}` : keyOf(trade, false)

/** Why the two of a pair differ; null where only what came before can say. */
function causeOf({ live, backtest }: Apart, known: Known): Cause | null {
  const { step, isVirtual } = known
  const { symbol, entryTime } = (live ?? backtest)!
  if (live !== null && backtest !== null) {
    if (live.exitReason === 'stopped')
      return { cause: 'settings_changed', note: 'A person stopped it, which closed the position.' }
    if (live.exitReason === 'take_profit' && backtest.exitReason === 'stop_loss' && live.exitTime === backtest.exitTime)
      return {
        cause: 'price_between_candles',
        note: 'The candle reaches its stop and its target: the target came first, and a backtest takes the stop.',
      }
    const turned = missedAt(symbol, backtest.exitTime - step, known)
    if (backtest.exitTime < live.exitTime && !isWithin(backtest) && turned !== null) return turned
    const isSameOrder = live.exitTime === backtest.exitTime
    const exchanged = !isVirtual && isSameOrder && !isWithin(live) && !isWithin(backtest)
    const revised = exchanged ? null : revisedAt(symbol, [entryTime, live.exitTime, backtest.exitTime], known)
    if (revised !== null) return revised
    if ((isWithin(live) || isWithin(backtest)) && (isSameOrder || isWithin(live)))
      return {
        cause: 'price_between_candles',
        note: 'Prices between two closes reached a stop or target that the candle alone tells otherwise.',
      }
    if (!isVirtual && live.exitReason === 'max_drawdown' && backtest.exitReason !== 'max_drawdown')
      return {
        cause: 'price_between_candles',
        note: 'A price between two closes reached its drawdown limit or its daily loss; a backtest looks at closes.',
      }
    if (!isVirtual && isSameOrder) return exchangeCause(live, backtest)
    const isSameSize = live.quantity === backtest.quantity && isSameOrder
    if (isSameSize && live.exitPrice === backtest.exitPrice && live.fees !== backtest.fees)
      return { cause: 'fee', note: `Fees were ${live.fees} live and ${backtest.fees} in the backtest.` }
    if (isSameSize && live.exitPrice === backtest.exitPrice && live.funding !== backtest.funding)
      return {
        cause: 'funding',
        note: `Funding was ${live.funding} live and ${backtest.funding} in the backtest: its rates became known afterwards.`,
      }
    return decisionCause(symbol, Math.min(live.exitTime, backtest.exitTime) - step, known)
  }
  return decisionCause(symbol, entryTime - step, known) ?? revisedAt(symbol, [entryTime], known)
}

/** Why nothing was decided at a candle that is there today; null where something was, or a person kept it from that. */
function missedAt(symbol: string, ts: number, { decided, codes, pairs, step }: Known): Cause | null {
  const row = decided.get(`${symbol} ${ts}`)
  if (row?.rule === 'missed')
    return row.lateFromTs === null
      ? { cause: 'missed_candle', note: row.reason }
      : {
          cause: 'candle_late',
          note: 'It waited for a candle that came late: nothing was opened or sold at this close.',
        }
  if (row !== undefined || !codes.has(`${symbol} ${ts}`)) return null
  const late = {
    cause: 'candle_late',
    note: 'The candle came later than the next one, so nothing was decided on it.',
  } as const
  if (pairs.some((other) => decided.has(`${other} ${ts}`))) return late
  const last = Math.max(...[...decided.values()].map(({ candleTs }) => candleTs))
  for (let after = ts + step; after <= last; after += step) {
    const next = decided.get(`${symbol} ${after}`)
    if (next !== undefined) return next.lateFromTs !== null && next.lateFromTs <= ts ? late : null
  }
  return null
}

const PRICES = ['open', 'high', 'low', 'close'] as const

/** Which of the candles that a trade was decided on or filled in is another one today; null where none is. */
function revisedAt(symbol: string, filledIn: readonly number[], { decided, prices, step }: Known): Cause | null {
  for (const ts of filledIn.flatMap((time) => [time - step, time])) {
    const then = decided.get(`${symbol} ${ts}`)?.candle
    const today = prices.get(`${symbol} ${ts}`)
    if (!then || today === undefined || then.every((price, k) => price === today[k])) continue
    const said = PRICES.flatMap((name, k) =>
      name === 'close' || then[k] !== today[k] ? `${name} ${then[k]} then, ${today[k]} today` : [],
    )
    return { cause: 'candle_changed', note: `A candle was revised after that: ${said.toReversed().join('; ')}.` }
  }
  return null
}

/** Prices of real trades are averages of amounts with eight places. */
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-7 * Math.abs(b)
/** What a fee in coins takes at most of a quantity. */
const COIN_FEE = 0.01

/** Of one trade that both made, with real money: what the exchange made of it; null where it was another order. */
function exchangeCause(live: Told, backtest: Told): Cause | null {
  if (Math.abs(live.quantity - backtest.quantity) > COIN_FEE * backtest.quantity) return null
  if (near(live.entryPrice, backtest.entryPrice) && near(live.exitPrice, backtest.exitPrice))
    return {
      cause: 'fee',
      note: `The exchange took ${live.fees} in fees, of ${live.quantity} sold; the backtest ${backtest.fees}, of ${backtest.quantity}.`,
    }
  return {
    cause: 'price_between_candles',
    note: `The exchange filled it at ${live.entryPrice} and ${live.exitPrice}; a backtest takes the opens with slippage, ${backtest.entryPrice} and ${backtest.exitPrice}.`,
  }
}

function decisionCause(symbol: string, ts: number, known: Known): Cause | null {
  const { targets, isVirtual } = known
  const row = known.decided.get(`${symbol} ${ts}`)
  const code = known.codes.get(`${symbol} ${ts}`)
  const missed = missedAt(symbol, ts, known)
  if (missed !== null) return missed
  if (row === undefined) return { cause: 'settings_changed', note: 'It was not active at this close.' }
  if (row.rule === 'paused' || row.rule === 'halted') return { cause: 'settings_changed', note: row.reason }
  if (code === undefined) return { cause: 'missed_candle', note: 'The candle is not stored any more.' }
  const changed = targets ? row.target !== (Number.isNaN(code) ? null : code) : row.signal !== signalOfDecision(code)
  if (!changed) return !isVirtual && row.rule === 'order_skipped' ? { cause: 'order_refused', note: row.reason } : null
  const said = targets ? `${row.target}` : row.signal
  const now = targets ? `${code}` : signalOfDecision(code)
  return { cause: 'model_changed', note: `It decided ${said} then; the models of today say ${now}.` }
}
