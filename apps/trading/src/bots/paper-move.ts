import { planOf } from '@shapecast/engine/policies/plan'
import { type Bar, isToClose, type Portfolio } from '@shapecast/engine/portfolio'
import type { Rules } from '@shapecast/engine/rules'
import { isOpen, nothingDone, throughCandles, wantsOrder, watchesOf } from './advance-bot.ts'
import { statusBy } from './bot-status.ts'
import { type Bookkeeper, type BotMove, decideBot, type HandFills, moveBot } from './decide-bot.ts'
import type { DecisionRound } from './decision-round.ts'
import { leftBecause, NOT_ORDERED_BY_HAND, skippedBecause } from './decision-words.ts'
import { dropWishes, leftAlone } from './hand-wishes.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange, HandChange } from './runtime-store.ts'

/** Takes a virtual bot through every candle that has closed; null before the first one. */
export const advanceOnPaper = (
  running: RunningBot,
  round: DecisionRound,
  ledger: Bookkeeper,
  madeAt: number,
): BotChange | null =>
  throughCandles(running, round, madeAt, (settings, portfolio, closed) =>
    decideBot(settings, portfolio, closed, ledger),
  )

/**
 * Lets a virtual bot act on candles that form, by what they have reached so far: entries at their opens, stops and targets
 * within them. What a person closes, and what a stopped bot was told to sell, is closed at the last price, at which what a
 * person rebalances is brought to its target; of what a stopped bot keeps only the liquidation acts. Null where nothing happens.
 */
export function moveWithinCandle(
  running: RunningBot,
  rules: readonly Rules[],
  step: number,
  forming: readonly (Bar | null)[],
  ledger: Bookkeeper,
): BotChange | null {
  const { bot, state } = running
  const { portfolio: before, dropped } = dropWishes(running, state.decidedTs + step)
  const { decidedTs } = state
  const stopped = bot.status === 'stopped'
  const sells = stopped && state.closing
  // One that has not been through the candle before goes through that first; a stopped one goes through none.
  const isNext = ({ candles, i }: Bar) => stopped || candles.ts[i] === decidedTs + step
  const bars = forming.map((bar) => (bar !== null && isNext(bar) ? bar : null))
  // What a stopped bot keeps is not sold because its time is over.
  const acting = stopped ? rules.map((each) => ({ ...each, timeExitMs: Number.POSITIVE_INFINITY })) : rules
  const closing = before.pairs.map((pair) => sells || isToClose(pair))
  const reason = sells ? 'stopped' : 'closed_by_hand'
  const move = moveBot({ rules: acting }, before, bars, ledger, { pairs: closing, reason })
  if (!hasChanged(state.portfolio, move)) return null
  const { portfolio, trades, skipped, byHand } = move
  const takenBack = before.pairs.filter(
    (pair, k) => closing[k] && bars[k] !== null && wantsOrder(pair, planOf(bot).targets !== undefined),
  )
  return {
    ...nothingDone(running),
    portfolio,
    closing: state.closing && isOpen(portfolio),
    trades,
    byHand: [...dropped, ...handChanges(before, byHand, decidedTs + step)],
    refused: [
      ...skipped.map(({ symbol, reason }) => ({ symbol, candleTs: decidedTs, reason: skippedBecause(reason) })),
      ...takenBack.map(({ symbol }) => ({ symbol, candleTs: decidedTs, reason: NOT_ORDERED_BY_HAND })),
    ],
    watches: watchesOf(portfolio, planOf(bot), sells, step),
    // It keeps nothing any more.
    status: stopped && !isOpen(portfolio) ? statusBy('emptied') : null,
  }
}

/** The result of each request of a user, pair by pair. */
const handChanges = ({ pairs }: Portfolio, { from, fills, skipped }: HandFills, candleTs: number): HandChange[] => {
  const of = (symbol: string) => ({
    symbol,
    candleTs,
    askedMs: pairs.find((pair) => pair.symbol === symbol)!.byHand!.askedMs,
  })
  return [
    ...fills.map(({ symbol, kind, quantity, rawPrice, price }, k) => ({
      ...of(symbol),
      quantity: kind === 'entry' ? quantity : -quantity,
      price: rawPrice,
      filledPrice: price,
      reason: null,
      fill: from + k,
    })),
    ...skipped.map(({ symbol, reason }) => leftAlone(of(symbol), leftBecause(reason))),
  ]
}

const hasChanged = (before: Portfolio, { portfolio, fills, skipped }: BotMove): boolean =>
  fills.length > 0 ||
  skipped.length > 0 ||
  portfolio.pairs.some(({ pending, openedTs, byHand }, k) => {
    const old = before.pairs[k]!
    return pending !== old.pending || openedTs !== old.openedTs || byHand !== old.byHand
  })
