import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import { leastHistoryDays } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Account } from '@shapecast/engine/account'
import { candlesFromRows } from '@shapecast/engine/candles'
import {
  type EngineTrade,
  type Fill,
  type Journal,
  SILENT,
  type SkipReason,
  type TradeExit,
} from '@shapecast/engine/journal'
import type { Plan } from '@shapecast/engine/policies/plan'
import { closingDay } from '@shapecast/engine/policies/targets'
import type { Universe } from '@shapecast/engine/policies/universe'
import {
  type Bar,
  closeBars,
  closePairs,
  copyPortfolio,
  type Desk,
  type GoneAt,
  moveWithin,
  openBars,
  type PairAccount,
  type Portfolio,
  rebalancePairs,
  settleBars,
  stepPortfolio,
} from '@shapecast/engine/portfolio'
import { heldShare } from '@shapecast/engine/rebalance'
import type { Rules } from '@shapecast/engine/rules'
import type { Asked, BotForecast, Decider } from '../deciders/decider.ts'
import { reasonOf } from './decision-words.ts'

const DAY_MS = 86_400_000

/** A bot as a move finds it. */
export interface DecidingBot {
  readonly plan: Plan
  readonly timeframe: Timeframe
  /** By pair. */
  readonly rules: readonly Rules[]
  /** It opens nothing. */
  readonly paused: boolean
  readonly decider: Decider
  /** Which pairs are held in a month; left out where all are. */
  readonly universe?: Universe | undefined
  /** Which of them are gone then. */
  readonly goneAt?: GoneAt | undefined
}

/** What a pair brings to a close: its candle with those before it, as many as the policy looks at. */
export interface PairClose extends Bar {
  readonly forecasts: readonly BotForecast[]
  /** Why a model said nothing; null where all spoke, or none was asked. */
  readonly silence: string | null
}

export interface ClosedCandle {
  /** Open time, ms. */
  readonly ts: number
  /** By pair; null where it has no candle then. */
  readonly pairs: readonly (PairClose | null)[]
  /** The next candle has closed before this one could be decided: what is held is carried on, nothing is opened. */
  readonly missed: boolean
}

export type PairFill = Fill & { readonly symbol: string }
export type PairTrade = EngineTrade & { readonly symbol: string }
export type Decision = Omit<BotDecision, 'id' | 'orderId' | 'decidedAt'>

/** What happened to a bot: its portfolio afterwards, and what is to be written down. */
export interface BotMove {
  readonly portfolio: Portfolio
  readonly fills: readonly PairFill[]
  readonly trades: readonly PairTrade[]
  /** Orders of the candle before that could not be made at the open. */
  readonly skipped: readonly { readonly symbol: string; readonly reason: SkipReason }[]
}

/** Who else keeps a ledger of what a pair's account does, while it does it. */
export type Bookkeeper = (symbol: string, account: Account) => Journal

/** Copies the portfolio, and gives each pair a journal that records the move and, where there is one, the ledger. */
function begin(before: Portfolio, rules: readonly Rules[], ledger?: Bookkeeper) {
  const portfolio = copyPortfolio(before)
  const fills: PairFill[] = []
  const trades: PairTrade[] = []
  const skipped: { symbol: string; reason: SkipReason }[] = []
  const journals = portfolio.pairs.map(({ symbol, account }): Journal => {
    const booked = ledger?.(symbol, account)
    return {
      ...SILENT,
      fill(fill) {
        booked?.fill(fill)
        fills.push({ ...fill, symbol })
      },
      trade: (trade) => trades.push({ ...trade, symbol }),
      skip: (reason) => skipped.push({ symbol, reason }),
      funding: (amount, time) => booked?.funding(amount, time),
    }
  })
  return { portfolio, rules, journals, fills, trades, skipped } satisfies BotMove & Desk
}

/**
 * Takes a bot through the close of one candle, and decides on the next one: the same, candle by candle, as a backtest.
 * `equity` is that of the close. The portfolio given stays as it is.
 */
export function decideBot(
  bot: DecidingBot,
  before: Portfolio,
  close: ClosedCandle,
  ledger?: Bookkeeper,
): BotMove & { equity: number; decisions: Decision[] } {
  const move = begin(before, bot.rules, ledger)
  const { portfolio } = move
  const gone = close.missed || bot.paused ? null : bot.goneAt?.(close.ts + TIMEFRAME_MS[bot.timeframe])
  const equity = stepPortfolio(move, close.pairs, close.ts, gone)
  const decisions = close.pairs.flatMap((pair, k) =>
    pair === null ? [] : [decidePair(bot, portfolio, close, pair, k).decision],
  )
  return { ...move, equity, decisions }
}

/**
 * As `decideBot`, of a bot whose orders others fill: the close is marked, nothing is filled, and `wanted` has what the
 * decisions would do at the next open, in their order.
 */
export function decideOrders(
  bot: DecidingBot,
  before: Portfolio,
  close: ClosedCandle,
): BotMove & { equity: number; decisions: Decision[]; wanted: PairFill[] } {
  const move = begin(before, bot.rules)
  const { portfolio } = move
  const equity = closeBars(move, close.pairs, close.ts)
  const wanted: PairFill[] = []
  // What one pair is to be bought with, the next one cannot be.
  let ordered = copyPortfolio(portfolio)
  const decisions = close.pairs.flatMap((pair, k) => {
    if (pair === null) return []
    const { decision, fills, after } = decidePair(bot, ordered, close, pair, k)
    ordered = after
    wanted.push(...fills)
    return [decision]
  })
  for (const [k, { decidedDay, byHand }] of ordered.pairs.entries()) {
    if (decidedDay !== undefined) portfolio.pairs[k]!.decidedDay = decidedDay
    portfolio.pairs[k]!.byHand = byHand
  }
  return { ...move, equity, decisions, wanted }
}

/**
 * Acts on the decisions at the opens of candles that still form, and on what these have reached so far. Pairs that
 * `closing` names are closed at their last price instead.
 */
export function moveBot(
  bot: Pick<DecidingBot, 'rules'>,
  before: Portfolio,
  forming: readonly (Bar | null)[],
  ledger?: Bookkeeper,
  closing: { readonly pairs: readonly boolean[]; readonly reason: TradeExit } = { pairs: [], reason: 'stopped' },
): BotMove & { byHand: HandFills } {
  const move = begin(before, bot.rules, ledger)
  const going = forming.map((bar, k) => (closing.pairs[k] ? null : bar))
  openBars(move, going)
  // A stop acts the moment it is reached, what a person asks for at the price after it.
  moveWithin(move, going)
  const [from, skippedFrom] = [move.fills.length, move.skipped.length]
  const last = going.map((bar) => bar?.candles.close[bar.i] ?? null)
  rebalancePairs(move, last, timeOf(going))
  const byHand = { from, fills: move.fills.slice(from), skipped: move.skipped.splice(skippedFrom) }
  const closed = forming.map((bar, k) => (closing.pairs[k] ? bar : null))
  const prices = closed.map((bar) => (bar === null ? null : bar.candles.close[bar.i]!))
  settleBars(move, closed)
  closePairs(move, prices, { reason: closing.reason, time: timeOf(closed) })
  return { ...move, byHand }
}

const timeOf = (bars: readonly (Bar | null)[]): number =>
  Math.max(...bars.map((bar) => (bar === null ? 0 : bar.candles.ts[bar.i]!)))

/** What a move did to bring pairs to the targets that a person asked for; `from` is the first of these among its fills. */
export interface HandFills extends Pick<BotMove, 'fills' | 'skipped'> {
  readonly from: number
}

/** What bringing pairs to the targets that a person asked for would do at these prices, null where one is not known. */
export function tryRebalance(
  rules: readonly Rules[],
  before: Portfolio,
  prices: readonly (number | null)[],
  time: number,
): BotMove {
  const trial = begin(before, rules)
  rebalancePairs(trial, prices, time)
  return trial
}

const nothing = (rule: Asked['rule']): Asked => ({ rule, signal: 'HOLD', pending: null, target: null })

function decidePair(
  bot: DecidingBot,
  portfolio: Portfolio,
  close: ClosedCandle,
  pair: PairClose,
  k: number,
): { decision: Decision; fills: readonly PairFill[]; after: Portfolio } {
  const of = portfolio.pairs[k]!
  const { symbol, account } = of
  const price = pair.candles.close[pair.i]!
  const asked = askedFor(bot, portfolio, of, close, pair)
  of.pending = asked.pending
  const { targets } = bot.plan
  if (targets !== undefined && asked.target !== null)
    of.decidedDay = closingDay(targets, close.ts + TIMEFRAME_MS[bot.timeframe])
  if (asked.target !== null && of.byHand !== undefined) of.byHand = { ...of.byHand, target: asked.target }
  const tried = asked.pending === null ? null : tryOrder(bot, portfolio, price, close.ts, k)
  const action = tried?.action ?? (account.side === 0 ? 'no_order' : 'held')
  const rule = ruleOf(asked, action, tried?.skipped ?? null)
  const { plan } = bot
  const decided = { symbol, rule, signal: asked.signal, action, target: asked.target }
  const { forecasts, silence } = pair
  const decision: Decision = {
    ...decided,
    candleTs: close.ts,
    votes: forecasts.map(({ version, signal, confidence, pUp, edgeBps: edge }) => {
      const edgeBps = Number.isFinite(edge) ? edge : null
      return { version, signal, confidence, pUp, edgeBps }
    }),
    reason: reasonOf({
      ...decided,
      price,
      forecasts,
      silence,
      history: historyOf(bot, pair),
      held: heldShare(account, price),
      band: plan.targets?.band ?? null,
      quantity: tried?.quantity ?? 0,
      skipped: tried?.skipped ?? null,
      canShort: bot.rules[k]!.canShort,
      maxDrawdownPct: plan.settings.maxDrawdownPct,
      says: asked.says ?? null,
      rests: bot.rules[k]!.postOnly !== null,
    }),
  }
  return { decision, fills: tried?.fills ?? [], after: tried?.after ?? portfolio }
}

/** Takes back that a pair has decided its target of the day: it came too late to be acted on. */
export function undecide(after: Portfolio, before: Portfolio, symbol: string): void {
  const old = before.pairs.find((pair) => pair.symbol === symbol)?.decidedDay
  for (const pair of after.pairs) if (pair.symbol === symbol && old !== undefined) pair.decidedDay = old
}

/** The days of candles that a policy had to decide by, and those that it needs. */
function historyOf({ plan, timeframe }: DecidingBot, { candles: { ts }, i }: PairClose) {
  if (plan.targets === undefined) return null
  const days = Math.floor((ts[i]! + TIMEFRAME_MS[timeframe] - ts[0]!) / DAY_MS)
  return { days, needs: leastHistoryDays(plan.targets.policy) }
}

function askedFor(
  bot: DecidingBot,
  portfolio: Portfolio,
  of: PairAccount,
  close: ClosedCandle,
  pair: PairClose,
): Asked {
  if (portfolio.haltedAt >= 0) return nothing('halted')
  if (close.missed) return nothing('missed')
  if (bot.paused) return nothing('paused')
  return bot.decider.decide({ ...bot, ...pair, ts: close.ts, pair: of })
}

function ruleOf(asked: Asked, action: Decision['action'], skipped: SkipReason | null): Decision['rule'] {
  if (skipped !== null) return 'order_skipped'
  const idle = action === 'held' || action === 'no_order'
  return asked.rule === 'target' && idle ? 'within_band' : asked.rule
}

/** What the order that was asked for comes to at this close: what it will at the next open, but for a move of the price. */
function tryOrder(bot: DecidingBot, portfolio: Portfolio, price: number, time: number, k: number) {
  // What will rest is sized as what would take.
  const trial = begin(
    portfolio,
    bot.rules.map((rules) => ({ ...rules, postOnly: null })),
  )
  const candles = candlesFromRows([[time + bot.rules[k]!.timeframeMs, price, price, price, price, price]])
  const bars = trial.portfolio.pairs.map((_, other) => (other === k ? { candles, i: 0 } : null))
  openBars(trial, bars)
  const { portfolio: after, fills } = trial
  const [first, second] = fills
  return {
    action: actionOf(fills, after.pairs[k]!),
    quantity: (second ?? first)?.quantity ?? 0,
    skipped: trial.skipped[0]?.reason ?? null,
    fills,
    after,
  }
}

function actionOf([first, second]: readonly Fill[], { account }: PairAccount): Decision['action'] | null {
  if (first === undefined) return null
  if (second !== undefined) return 'reversed'
  if (first.kind === 'exit') return account.side === 0 ? 'closed' : 'reduced'
  const opened = Math.abs(account.size) === first.quantity
  if (!opened) return 'increased'
  return account.side > 0 ? 'opened_long' : 'opened_short'
}
