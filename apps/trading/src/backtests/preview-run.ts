import type { BotPreview } from '@shapecast/contracts/bot-preview'
import { AppError } from '@shapecast/contracts/errors'
import { leastHistoryDays, smallestBalance } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import type { Candles } from '@shapecast/engine/candles'
import { dailyExcess, dayEnds, type HeldMoment, heldDays } from '@shapecast/engine/evidence/daily-excess'
import { edgeOfDays } from '@shapecast/engine/evidence/time-to-know'
import type { Plan } from '@shapecast/engine/policies/plan'
import { type TargetPlan, targetColumn } from '@shapecast/engine/policies/targets'
import { createRules } from '@shapecast/engine/rules'
import {
  createShareRuns,
  type SharePair,
  type ShareRun,
  type ShareRuns,
  timeAtOrAfter,
} from '@shapecast/engine/share-runs'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365
const DAYS_BETWEEN_STARTS = 7
const MONTHS = 12
const MONTH_MS = (YEAR_DAYS * DAY_MS) / MONTHS

/** What a preview is worked out from. Plain data. */
export interface PreviewOrder {
  readonly plan: Plan & { readonly targets: TargetPlan }
  readonly timeframe: Timeframe
  readonly feeRate: number
  readonly slippageBps: number
  readonly pairs: readonly {
    readonly symbol: string
    readonly candles: Candles
    readonly lotSize: number
    readonly minNotional: number
  }[]
}

/**
 * What a policy did from the first close at which it could decide each of its pairs, and on each of several pairs alone.
 * Throws `too_few_candles` where it never could.
 */
export function previewOf(order: PreviewOrder): BotPreview {
  const { plan, timeframe, feeRate, slippageBps, pairs } = order
  const { policy } = plan.targets
  const step = TIMEFRAME_MS[timeframe]
  const { followed, held, from, policyRun, holdRun, span } = runsOf(order)
  const days = heldDays(
    policyRun.ends,
    holdRun.ends.map(({ equity }) => equity),
  )
  const minimumOrder = Math.max(...pairs.map(({ minNotional }) => minNotional))
  return {
    policy,
    symbols: pairs.map(({ symbol }) => symbol),
    timeframe,
    ...span,
    candles: followed.times.length - from,
    feeRate,
    slippageBps,
    minimumOrder,
    smallestBalance: minimumOrder === 0 ? null : smallestBalance(policy, pairs.length, minimumOrder),
    policyRun: policyRun.run,
    holdRun: holdRun.run,
    alone:
      pairs.length === 1
        ? []
        : pairs.map((pair) => {
            // Its target and band are those of a bot with one pair.
            const targets = { ...plan.targets, pairs: 1, band: plan.targets.band * pairs.length }
            const settings = { ...plan.settings, targetBand: targets.band }
            const only = runsOf({ ...order, plan: { ...plan, targets, settings }, pairs: [pair] })
            return { symbol: pair.symbol, ...only.span, policyRun: only.policyRun.run, holdRun: only.holdRun.run }
          }),
    edge: edgeOfDays(dailyExcess(days).subarray(1)),
    years: yearsOf(followed, held, from, step, plan.settings.initialBalance),
  }
}

/** Runs over all candles from the first close at which each pair could be decided: with the settings, and holding. */
function runsOf(order: PreviewOrder) {
  const { plan, timeframe, feeRate, slippageBps } = order
  const { targets, settings } = plan
  const step = TIMEFRAME_MS[timeframe]
  const rulesOf = (changes: { lotSize: number; minNotional: number; maxDrawdownPct?: number; targetBand?: number }) =>
    createRules(backtestSettings({ ...settings, timeframe, feeRate, slippageBps, ...changes }))
  const pairs = order.pairs.map(
    ({ symbol, candles, lotSize, minNotional }): SharePair => ({
      symbol,
      candles,
      targets: targetColumn(targets, candles, 0, timeframe, []),
      rules: rulesOf({ lotSize, minNotional }),
    }),
  )
  const held = createShareRuns(
    pairs.map((pair) => ({
      ...pair,
      rules: rulesOf({ lotSize: 0, minNotional: 0, maxDrawdownPct: 100, targetBand: 0 }),
    })),
    true,
  )
  const followed = createShareRuns(pairs)
  const { times } = followed
  const from = timeAtOrAfter(times, Math.max(...pairs.map((pair) => firstDecision(order, pair))))
  const end = times.length
  if (end - from < 2)
    throw new AppError('too_few_candles', 'No candle has closed since the first decision: try again later.')
  const shown = (run: ShareRun, days: number) => ({
    finalBalance: run.finalEquity,
    totalReturnPct: 100 * (run.finalEquity / settings.initialBalance - 1),
    maxDrawdownPct: run.maxDrawdownPct,
    haltedAt: run.haltedAt,
    orders: run.orders,
    tooSmall: run.tooSmall,
    costs: run.costs,
    turnoverPerYear: run.turnover / (days / 365.25),
    heldPct: 100 * run.heldShare,
  })
  const runAll = (runs: ShareRuns) => {
    const closes: HeldMoment[] = []
    const run = runs.run(from, end, settings.initialBalance, (time, equity, heldShare) =>
      closes.push({ atMs: time + step, equity, heldShare }),
    )
    return { run: shown(run, (times[end - 1]! - times[from]!) / DAY_MS), ends: dayEnds(closes) }
  }
  const span = { from: times[from]! + step, to: times[end - 1]! + step }
  return { followed, held, from, span, policyRun: runAll(followed), holdRun: runAll(held) }
}

/** The open time of the candle at whose close a pair is decided first. */
function firstDecision({ plan, timeframe }: PreviewOrder, { symbol, candles, targets }: SharePair): number {
  const first = targets.findIndex((target) => !Number.isNaN(target))
  if (first >= 0) return candles.ts[first]!
  const days = Math.floor((candles.ts[candles.length - 1]! + TIMEFRAME_MS[timeframe] - candles.ts[0]!) / DAY_MS)
  throw new AppError(
    'too_few_candles',
    `${symbol} ${timeframe} has ${days} days of candles; this policy needs ${leastHistoryDays(plan.targets.policy)} before its first decision.`,
  )
}

/** A run through a year, and the equity at the last close until the end of each twelfth of it. */
interface YearRun {
  readonly run: ShareRun
  readonly equities: Float64Array
}

/** A year each from every seventh midnight on; null where less than a year is there. */
function yearsOf(
  followed: ShareRuns,
  held: ShareRuns,
  from: number,
  step: number,
  balance: number,
): BotPreview['years'] {
  const { times } = followed
  const made: { policy: YearRun; hold: YearRun }[] = []
  const last = times[times.length - 1]! + step
  const firstDay = Math.floor((times[from]! + step) / DAY_MS) * DAY_MS
  for (let day = firstDay; day + YEAR_DAYS * DAY_MS <= last; day += DAYS_BETWEEN_STARTS * DAY_MS) {
    const start = Math.max(from, timeAtOrAfter(times, day - step))
    const until = timeAtOrAfter(times, day + YEAR_DAYS * DAY_MS)
    const runYear = (runs: ShareRuns): YearRun => {
      const equities = new Float64Array(MONTHS)
      let month = 0
      let before = balance
      const run = runs.run(start, until, balance, (time, equity) => {
        while (time + step > day + (month + 1) * MONTH_MS) equities[month++] = before
        before = equity
      })
      return { run, equities: equities.fill(before, month) }
    }
    made.push({ policy: runYear(followed), hold: runYear(held) })
  }
  if (made.length === 0) return null
  const returnPct = (equity: number) => 100 * (equity / balance - 1)
  const bands = (years: readonly YearRun[]) => ({
    returnPct: bandOf(years.map(({ run }) => returnPct(run.finalEquity))),
    maxDrawdownPct: bandOf(years.map(({ run }) => run.maxDrawdownPct)),
    returnPctByMonth: Array.from({ length: MONTHS }, (_, month) =>
      bandOf(years.map(({ equities }) => returnPct(equities[month]!))),
    ),
  })
  return {
    starts: made.length,
    daysBetween: DAYS_BETWEEN_STARTS,
    halted: made.filter(({ policy }) => policy.run.haltedAt !== null).length,
    policy: bands(made.map(({ policy }) => policy)),
    hold: bands(made.map(({ hold }) => hold)),
  }
}

function bandOf(values: readonly number[]): NonNullable<BotPreview['years']>['policy']['returnPct'] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => {
    const place = share * (sorted.length - 1)
    const below = Math.floor(place)
    const low = sorted[below]!
    return low + (place - below) * ((sorted[below + 1] ?? low) - low)
  }
  return { lowest: at(0), p5: at(0.05), p25: at(0.25), median: at(0.5), p75: at(0.75), p95: at(0.95), highest: at(1) }
}
