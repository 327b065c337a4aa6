import type { BotParity, BotTrade } from '@shapecast/contracts/bot-trading'
import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { DECISION, decisionOfSignal } from '@shapecast/engine/decisions'
import { isWithin, SILENT } from '@shapecast/engine/journal'
import { decide, type Plan, planOf } from '@shapecast/engine/policies/plan'
import { targetsOfMostTraded } from '@shapecast/engine/policies/universe'
import { type GoneAt, type HandAct, type PairRun, runPortfolio } from '@shapecast/engine/portfolio'
import type { Asker } from '../ground/ownership.ts'
import { NO_RULES, pricesAt, rulesOf } from './advance-bot.ts'
import { requireChange } from './bot-rights.ts'
import type { BotsContext } from './bots-context.ts'
import { NOT_ORDERED_BY_HAND } from './decision-words.ts'
import { type Apart, type Difference, differencesOf, pairsApart, type Told } from './parity-causes.ts'
import { timeframeOf } from './timeframe-of.ts'
import type { KeptDecision } from './trading-store.ts'

/** Candles that are compared at most: each costs a forecast of each model. */
const MOST_CANDLES = 5000
/** More than there are trades and decisions of the 20 pairs of a bot in so many candles. */
const ALL = 40 * MOST_CANDLES

export interface ParityDeps extends Pick<BotsContext, 'states' | 'bots' | 'rules'> {
  /** What a backtest of the bot decides at each of its candles of a pair in [fromMs, toMs]. Throws where it cannot. */
  decisions(
    bot: BotRecord,
    plan: Plan,
    symbol: string,
    range: { timeframe: Timeframe; fromMs: number; toMs: number },
  ): Promise<{
    candles: Candles
    decisions: Int8Array | Float64Array
    /** With the candles before them that they rest on. */
    basis?: Candles
  }>
}

/**
 * A bot's live trades against a backtest of its present rules on the forecasts that it kept, over the candles that it has
 * decided, with the cause of each difference and what it cost. A second backtest closes what people closed by hand, and a third
 * also rebalances as they did, with the stops of those candles in between: the live trades are held against the last, and what
 * sets each apart from the one before is what that made. Its owner or an admin. Throws `too_few_candles` before its first decision.
 */
export const createParityCheck =
  ({ states, bots, rules, decisions }: ParityDeps) =>
  async (id: string, member: Asker): Promise<BotParity> => {
    const bot = await bots.find(id)
    requireChange(bot, member)
    const [state, [first]] = await Promise.all([states.state(id), states.decisionsAfter(id, null, 1)])
    if (state === undefined || first === undefined)
      throw new AppError('too_few_candles', `${bot.name} has not decided anything yet.`)
    const timeframe = timeframeOf(bot.parameters)
    const step = TIMEFRAME_MS[timeframe]
    const [from, to] = [first.candleTs, state.decidedTs]
    if ((to - from) / step >= MOST_CANDLES)
      throw new AppError(
        'unprocessable',
        `${bot.name} has run for more than ${MOST_CANDLES} candles, which is more than is compared. A reset begins again.`,
      )

    const plan = planOf(bot)
    const rows = await states.decisionsAfter(id, null, ALL)
    const decided = new Map(rows.map((row) => [`${row.symbol} ${row.candleTs}`, row]))
    const codes = new Map<string, number>()
    const prices = new Map<string, number[]>()
    const runs: Runs = new Map()
    let candles = 0
    const asked = []
    for (const symbol of bot.tradingPairs)
      asked.push({ symbol, ...(await decisions(bot, plan, symbol, { timeframe, fromMs: from, toMs: to })) })
    const held = plan.targets?.mostTraded && targetsOfMostTraded(asked, plan.targets.pairs, step)
    for (const [k, { symbol, ...of }] of asked.entries()) {
      const made = { candles: of.candles, decisions: held?.targets[k] ?? of.decisions }
      candles = Math.max(candles, made.candles.length)
      for (const [i, ts] of made.candles.ts.entries()) {
        const kept = keptDecision(decided.get(`${symbol} ${ts}`), plan)
        if (kept !== null) made.decisions[i] = kept
        codes.set(`${symbol} ${ts}`, made.decisions[i]!)
        prices.set(`${symbol} ${ts}`, pricesAt(made.candles, i))
      }
      const market = (await rules(symbol)) ?? NO_RULES
      runs.set(symbol, {
        ...made,
        rules: rulesOf(plan, timeframe, bot.isVirtual ? market : { ...market, funding: null }),
      })
    }
    const lived = await states.tradesAfter(id, null, { before: to + 1, limit: ALL })
    // An exchange buys nothing at a price that it does not have any more.
    const goneAt = bot.isVirtual && held ? held.goneAt : undefined
    const tested = testedTrades(bot.initialBalance, runs, goneAt)
    const closes = closesOf(lived, runs, decided)
    const moves = (await states.movedByHand(id, to)).filter(({ symbol }) => runs.has(symbol))
    const testedWith = (acts: readonly (HandAct & At)[], otherwise: Told[]) =>
      acts.length === 0 ? otherwise : testedTrades(bot.initialBalance, runs, goneAt, acts)
    const closed = testedWith(closes, tested)
    const moved = moves.length === 0 ? closed : testedWith([...closes, ...moves, ...stopsBeside(moves, lived)], closed)
    const own = differencesOf(lived, moved, {
      decided,
      codes,
      prices,
      pairs: bot.tradingPairs,
      step,
      targets: plan.targets !== undefined,
      isVirtual: bot.isVirtual,
    })
    const apart = (from: Told[], than: Told[], cause: HandCause) =>
      from === than ? [] : pairsApart(from, than).map((pair) => handDifference(pair, step, cause))
    const byClosing = apart(closed, tested, 'closed_by_hand')
    const byMoving = apart(moved, closed, 'rebalanced_by_hand')
    const differences = [...own, ...byClosing, ...byMoving].sort((a, b) => a.candleTs - b.candleTs)
    return {
      from,
      to: to + step,
      candles,
      liveTrades: lived.length,
      backtestTrades: tested.length,
      livePnL: sum(lived),
      backtestPnL: sum(tested),
      costs: costsOf(differences),
      differences,
    }
  }
export type BotParityCheck = ReturnType<typeof createParityCheck>

type Runs = Map<string, Omit<PairRun, 'journal'>>

/** The trades of a backtest of several pairs. */
function testedTrades(
  initialBalance: number,
  runs: Runs,
  goneAt: GoneAt | undefined,
  acts: readonly (HandAct & At)[] = [],
): Told[] {
  const trades: Told[] = []
  const journalOf = (symbol: string) => ({
    ...SILENT,
    trade: (trade: Omit<Told, 'symbol'>) => void trades.push({ ...trade, symbol }),
  })
  runPortfolio(
    initialBalance,
    new Map([...runs].map(([symbol, run]) => [symbol, { ...run, journal: journalOf(symbol) }])),
    undefined,
    Map.groupBy(
      acts.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      ({ candleTs }) => candleTs,
    ),
    goneAt,
  )
  return trades
}

type HandCause = 'closed_by_hand' | 'rebalanced_by_hand'
/** When something was done by hand: its candle, and an id that rises with time. */
interface At {
  readonly candleTs: number
  readonly id: string
}

/** What people closed, where and when that was filled. */
const closesOf = (
  lived: readonly BotTrade[],
  runs: Runs,
  decided: ReadonlyMap<string, KeptDecision>,
): (HandAct & At)[] =>
  lived
    .filter(({ symbol, exitReason }) => exitReason === 'closed_by_hand' && runs.has(symbol))
    .map(({ id, symbol, exitTime: candleTs, exitPrice: price }) => {
      const { candles } = runs.get(symbol)!
      const before = candles.ts[indexAtOrAfter(candles, candleTs) - 1]
      const takesBack = decided.get(`${symbol} ${before}`)?.reason === NOT_ORDERED_BY_HAND
      return { id, symbol, candleTs, price, quantity: null, takesBack }
    })

/** What stops and targets closed in the candles in which a person rebalanced the same pair. */
const stopsBeside = (moves: readonly (Pick<HandAct, 'symbol'> & At)[], lived: readonly BotTrade[]): (HandAct & At)[] =>
  lived
    .filter(
      (trade) =>
        isWithin(trade) && moves.some((move) => move.symbol === trade.symbol && move.candleTs === trade.exitTime),
    )
    .map(({ id, symbol, entryTime, exitTime: candleTs, exitPrice: price, exitReason: reason }) => {
      return { id, symbol, candleTs, price, quantity: null, takesBack: false, closedBy: { reason, entryTime } }
    })

const HAND_WORDS: Readonly<Record<HandCause, readonly [string, string]>> = {
  closed_by_hand: ['closed it', 'closing'],
  rebalanced_by_hand: ['rebalanced it', 'rebalancing'],
}
/** What people made of one trade. */
const handDifference = (pair: Apart, step: number, cause: HandCause): Difference => {
  const { symbol, entryTime } = (pair.live ?? pair.backtest)!
  const [did, doing] = HAND_WORDS[cause]
  const note =
    pair.live?.exitReason === cause
      ? `A person ${did}; the backtest goes by its rules.`
      : `Follows from ${doing} by hand: what it held, or its money, was another by then.`
  return { candleTs: entryTime - step, symbol, ...pair, cause, note }
}

/**
 * What the forecasts that were kept at a close come to by the bot's present rules; null where none were, since the candle
 * was missed or the bot rested: there the backtest asks the models that it has pinned.
 */
function keptDecision(row: KeptDecision | undefined, plan: Plan): number | null {
  if (row === undefined) return null
  if (plan.targets !== undefined) return row.target
  if (plan.rule !== undefined) return null
  if (row.votes.length > 0) {
    const forecasts = row.votes.map((vote) => ({ ...vote, edgeBps: vote.edgeBps ?? Number.POSITIVE_INFINITY }))
    return decisionOfSignal(decide(forecasts, plan).signal)
  }
  return row.rule === 'no_votes' ? DECISION.HOLD : null
}

/** In the order of their first trade. */
function costsOf(differences: readonly Difference[]): BotParity['costs'] {
  return [...Map.groupBy(differences, ({ cause }) => cause)].map(([cause, all]) => ({
    cause,
    trades: all.length,
    pnl: all.reduce((sum, { live, backtest }) => sum + (live?.netPnL ?? 0) - (backtest?.netPnL ?? 0), 0),
  }))
}

const sum = (trades: readonly Told[]): number => trades.reduce((total, { netPnL }) => total + netPnL, 0)
