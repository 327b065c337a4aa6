import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import type { BotPrediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { backtestSettings, costSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { asksForOrder } from '@shapecast/engine/decisions'
import { drawdownPct } from '@shapecast/engine/indicators/drawdown'
import { decide, type Plan, planOf } from '@shapecast/engine/policies/plan'
import { createUniverse, goneFrom } from '@shapecast/engine/policies/universe'
import { isToClose, type PairAccount, type Portfolio, portfolioShare } from '@shapecast/engine/portfolio'
import { createRules, type Rules } from '@shapecast/engine/rules'
import { consensusVerdict } from '@shapecast/engine/verdicts/signal-verdict'
import type { Said } from '../deciders/decider.ts'
import { deciderOf } from '../deciders/deciders.ts'
import type { SymbolRules } from '../market/series-market.ts'
import type { BotMove, ClosedCandle, DecidingBot, Decision, PairClose, PairTrade } from './decide-bot.ts'
import { NotPrepared } from './decision-answers.ts'
import type { DecisionRound } from './decision-round.ts'
import { skippedBecause } from './decision-words.ts'
import { drawdownReached, haltedBy } from './loss-limits.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange, MadeDecision, Watch } from './runtime-store.ts'
import type { BotRow } from './tables.ts'

/** Of a market that says nothing of its orders: any is taken. */
export const NO_RULES: SymbolRules = { lotSize: 0, minNotional: 0 }

/** The engine's rules of a pair of a bot. */
export function rulesOf(plan: Plan, timeframe: Timeframe, market: SymbolRules): Rules {
  const { lotSize, minNotional, tickSize, funding } = market
  const costs = costSettings(plan.costs ?? COST_DEFAULTS, tickSize)
  return createRules(backtestSettings({ ...plan.settings, ...costs, timeframe, lotSize, minNotional }), funding)
}

const prepared = <T>(value: T | undefined): T => {
  if (value === undefined) throw new NotPrepared('The bot has changed since its candles were read.')
  return value
}

const deciding = (bot: BotRow, round: DecisionRound): DecidingBot => {
  const plan = planOf(bot)
  const { timeframe } = round
  const rules = bot.tradingPairs.map((symbol) => {
    const { funding = null, ...market } = prepared(round.rules(symbol))
    // The exchange itself books what a bot with real money pays.
    return rulesOf(plan, timeframe, bot.isVirtual ? { ...market, funding } : market)
  })
  const { targets } = plan
  const whole = { plan, timeframe, rules, paused: bot.status !== 'active', decider: deciderOf(bot, plan) }
  if (!targets?.mostTraded) return whole
  const candidates = bot.tradingPairs.map((symbol) => ({ symbol, candles: prepared(round.window(symbol)) }))
  const universe = createUniverse(candidates, targets.pairs)
  return { ...whole, universe, goneAt: goneFrom(candidates, universe, round.step) }
}

/** A change of a bot that leaves everything as it is. */
export const nothingDone = ({ bot, state }: RunningBot): BotChange => ({
  bot,
  decidedTs: state.decidedTs,
  revision: state.revision + 1,
  portfolio: state.portfolio,
  closing: state.closing,
  worstDrawdownPct: state.worstDrawdownPct,
  decisions: [],
  refused: [],
  byHand: [],
  trades: [],
  equity: [],
  watches: [],
  status: null,
  prediction: null,
  pins: [],
})

/**
 * Takes a bot through every candle that has closed since its last decision, in their order; null
 * before the first. `take` says what one candle does to the bot. A candle is decided while it is the newest one: of those
 * before it, which were missed, the bot keeps what it holds, its stops act, and it opens nothing. A pair whose candle is late is
 * waited for until the next one has closed, unless it has been silent for longer.
 */
export function throughCandles(
  running: RunningBot,
  round: DecisionRound,
  madeAt: number,
  take: (
    settings: DecidingBot,
    portfolio: Portfolio,
    closed: ClosedCandle,
  ) => BotMove & { equity: number; decisions: Decision[] },
): BotChange | null {
  const { bot, state } = running
  const settings = deciding(bot, round)
  const series = bot.tradingPairs.map((symbol) => prepared(round.window(symbol)))
  const next = series.map((candles) => indexAtOrAfter(candles, state.decidedTs + 1))
  const trades: PairTrade[] = []
  const decisions: MadeDecision[] = []
  const refused: BotChange['refused'][number][] = []
  const equity: BotChange['equity'][number][] = []
  let { portfolio, decidedTs, worstDrawdownPct } = state
  let prediction: BotPrediction | null = null
  let pins: BotChange['pins'] = []
  for (;;) {
    const times = series.flatMap((candles, k) => candles.ts[next[k]!] ?? [])
    const ts = Math.min(...times)
    if (times.length === 0) break
    const late = series.some((candles, k) => next[k]! >= candles.length && mayStillCome(candles, ts, round.step))
    if (late && round.nowMs < ts + 2 * round.step) break
    const newest = ts === round.closedTs
    const asked =
      newest && !settings.paused
        ? bot.tradingPairs.map((symbol) => saidOf(running, settings.plan, symbol, round))
        : null
    const pairs = series.map((candles, k): PairClose | null =>
      candles.ts[next[k]!] === ts ? { candles, i: next[k]!, ...(asked?.[k] ?? NOTHING_SAID) } : null,
    )
    const moved = take(settings, portfolio, { ts, pairs, missed: !newest })
    for (const { symbol, reason } of moved.skipped)
      refuse(decisions, refused, symbol, decidedTs, skippedBecause(reason))
    portfolio = moved.portfolio
    const lateFromTs = (state.waitedTs ?? 0) > decidedTs ? decidedTs + round.step : null
    decidedTs = ts
    trades.push(...moved.trades)
    for (const decision of moved.decisions) {
      const { candles, i } = pairs[bot.tradingPairs.indexOf(decision.symbol)]!
      decisions.push({ ...decision, candle: pricesAt(candles, i), lateFromTs })
    }
    equity.push({ atMs: ts + round.step, equity: moved.equity, heldShare: portfolioShare(portfolio) })
    worstDrawdownPct = Math.max(worstDrawdownPct, drawdownPct(moved.equity, portfolio.peak))
    pins = asked?.flatMap((one, k) => (pairs[k] === null ? [] : one.pins)) ?? []
    if (asked?.[0] !== undefined && asked[0].votes.length > 0 && pairs[0] !== null)
      prediction = predictionOf(bot, settings.plan, round.timeframe, asked[0], madeAt)
    for (const [k, pair] of pairs.entries()) if (pair !== null) next[k]!++
  }
  if (equity.length === 0) return null
  const isHalted = portfolio.haltedAt >= 0 && bot.status === 'active'
  const written = { portfolio, decidedTs, worstDrawdownPct, trades, decisions, refused, equity, prediction, pins }
  return {
    ...nothingDone(running),
    ...written,
    status: isHalted ? haltedBy(drawdownReached(bot)) : null,
    watches: watchesOf(portfolio, settings.plan, bot.status === 'stopped', round.step),
  }
}

/** Whether anything is held. */
export const isOpen = ({ pairs }: Portfolio): boolean => pairs.some(({ account }) => account.side !== 0)

/** Open, high, low and close of a candle. */
export const pricesAt = ({ open, high, low, close }: Candles, i: number): number[] => [
  open[i]!,
  high[i]!,
  low[i]!,
  close[i]!,
]

/** Whether the last decision of a pair may come to an order at the next open. */
export const wantsOrder = ({ pending, account }: PairAccount, hasTargets: boolean): boolean =>
  pending !== null && (hasTargets || asksForOrder(pending, account.side))

/** Whether what rests of a pair takes at the next open. */
const isRestOver = ({ account: { resting, lastTs } }: PairAccount, step: number): boolean =>
  resting !== undefined && lastTs + step >= resting.until

/** What is to be watched for of a bot's pairs until its next decision. */
export function watchesOf(portfolio: Portfolio, plan: Plan, closing: boolean, step: number): Watch[] {
  const heldMs = (plan.settings.timeExitCandles ?? Number.POSITIVE_INFINITY) * step
  return portfolio.pairs.flatMap((pair) => {
    const { symbol, account } = pair
    const open = account.side !== 0
    const isOver = account.lastTs + step - account.entryTime >= heldMs
    const isLeaving = closing || isOver || isToClose(pair) || portfolio.haltedAt >= 0
    const isWanted = wantsOrder(pair, plan.targets !== undefined) || isRestOver(pair, step) || pair.byHand !== undefined
    const due = isWanted || (open && isLeaving)
    return open || due ? { symbol, lower: account.lowerTrigger, upper: account.upperTrigger, due } : []
  })
}

/** Whether a series goes on: one without a candle for so long is not waited for. */
const QUIET_CANDLES = 3
const mayStillCome = ({ ts: times, length }: Candles, ts: number, step: number): boolean =>
  length > 0 && times[length - 1]! >= ts - QUIET_CANDLES * step

interface Asked {
  readonly forecasts: PairClose['forecasts']
  readonly silence: string | null
  readonly votes: BotPrediction['votes']
  /** What it trades on from now on. */
  readonly pins: BotChange['pins']
}
const NOTHING_SAID: Asked = { forecasts: [], silence: null, votes: [], pins: [] }

function saidOf(running: RunningBot, plan: Plan, symbol: string, round: DecisionRound): Asked {
  const { bot } = running
  const asked = deciderOf(bot, plan)
    .versions(plan)
    .flatMap((version) => {
      const heard = round.said(running, symbol, version)
      return heard === undefined ? [] : { version, ...heard }
    })
  const own = round.saidTo(bot.id, symbol)
  const answers = [...asked.map(({ said }) => said), ...(own === undefined ? [] : [own])]
  const given = answers.flatMap((said) => (said instanceof AppError ? [] : said))
  const silent = answers.find((said) => said instanceof AppError)
  return {
    forecasts: given.map(({ forecast }) => forecast),
    silence: silent?.message ?? null,
    pins: asked.flatMap(({ pin, said }) =>
      pin === null ? [] : { ...pin, reason: pin.model === null && said instanceof AppError ? said.message : null },
    ),
    votes: asked.flatMap(({ version, said }) => voteOf(version, said)),
  }
}

const voteOf = (version: string | null, said: Said | AppError): BotPrediction['votes'] => {
  if (!(said instanceof AppError)) return [{ version: said.forecast.version, prediction: said.prediction, error: null }]
  return version === null ? [] : [{ version, prediction: null, error: said.message }]
}

function predictionOf(
  bot: BotRow,
  plan: Plan,
  timeframe: Timeframe,
  { forecasts, votes }: Asked,
  madeAt: number,
): BotPrediction {
  const { signal, confidence, rule } = decide(forecasts, plan)
  const verdict = consensusVerdict({ signal, votes })
  return { botId: bot.id, symbol: bot.tradingPairs[0]!, timeframe, signal, confidence, rule, verdict, votes, madeAt }
}

/** Corrects what a decision expected, in this transaction's rows or in an earlier one's. */
function refuse(
  decisions: MadeDecision[],
  refused: BotChange['refused'][number][],
  symbol: string,
  candleTs: number,
  reason: string,
): void {
  const at = decisions.findIndex((decision) => decision.symbol === symbol && decision.candleTs === candleTs)
  if (at < 0) refused.push({ symbol, candleTs, reason })
  else decisions[at] = { ...decisions[at]!, rule: 'order_skipped', action: 'no_order', reason }
}
