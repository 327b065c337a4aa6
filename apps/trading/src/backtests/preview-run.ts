import type { BotPreview } from '@shapecast/contracts/bot-preview'
import type { BotCosts } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import { leastHistoryDays, smallestBalance } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type BacktestSettings, backtestSettings, costSettings } from '@shapecast/engine/backtest-settings'
import type { Candles } from '@shapecast/engine/candles'
import { dailyExcess, dayEnds, heldDays } from '@shapecast/engine/evidence/daily-excess'
import { edgeOfDays } from '@shapecast/engine/evidence/time-to-know'
import type { Plan } from '@shapecast/engine/policies/plan'
import { type TargetPlan, targetColumn } from '@shapecast/engine/policies/targets'
import { targetsOfMostTraded } from '@shapecast/engine/policies/universe'
import type { GoneAt } from '@shapecast/engine/portfolio'
import { createRules } from '@shapecast/engine/rules'
import {
  createShareRuns,
  type RunCloses,
  type SharePair,
  type ShareRun,
  type ShareRuns,
  timeAtOrAfter,
} from '@shapecast/engine/share-runs'
import { empiricalQuantiles } from '@shapecast/ml/recipe/empirical-quantiles'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365
const DAYS_BETWEEN_STARTS = 7
const MONTHS = 12
const MONTH_MS = (YEAR_DAYS * DAY_MS) / MONTHS

/** What a preview is worked out from. Plain data. */
export interface PreviewOrder {
  readonly plan: Plan & { readonly targets: TargetPlan }
  readonly timeframe: Timeframe
  readonly costs: BotCosts
  readonly pairs: readonly {
    readonly symbol: string
    readonly candles: Candles
    readonly lotSize: number
    readonly minNotional: number
    readonly tickSize: number
  }[]
}

/**
 * What a policy did from the first close at which it could decide each of its pairs, and on each of several pairs alone.
 * Throws `too_few_candles` where it never could.
 */
export function previewOf(order: PreviewOrder): BotPreview {
  const { plan, timeframe, costs, pairs } = order
  const { policy, band } = plan.targets
  // Its target and band are those of a bot with one pair.
  const alone = {
    ...order,
    plan: {
      ...plan,
      targets: { ...plan.targets, pairs: 1, band: band * plan.targets.pairs },
      settings: { ...plan.settings, targetBand: band * plan.targets.pairs },
    },
  }
  const targets = pairs.map(({ candles }) => targetColumn(alone.plan.targets, candles, 0, timeframe, []))
  const divided = targets.map((column) => column.map((target) => target / plan.targets.pairs))
  const held =
    plan.targets.mostTraded &&
    targetsOfMostTraded(
      pairs.map((pair, k) => ({ ...pair, decisions: divided[k]! })),
      plan.targets.pairs,
      TIMEFRAME_MS[timeframe],
    )
  const shares = held ? held.targets : divided
  const { runs, from, span, whole, days } = runsOf(order, shares, held ? held.goneAt : undefined)
  const minimumOrder = Math.max(...pairs.map(({ minNotional }) => minNotional))
  return {
    policy,
    symbols: pairs.map(({ symbol }) => symbol),
    timeframe,
    ...span,
    candles: runs.times.length - from,
    ...costs,
    minimumOrder,
    smallestBalance: minimumOrder === 0 ? null : smallestBalance(policy, plan.targets.pairs, minimumOrder),
    ...whole,
    alone:
      pairs.length === 1 || held
        ? []
        : pairs.map((pair, k) => {
            const only = runsOf({ ...alone, pairs: [pair] }, [targets[k]!])
            return { symbol: pair.symbol, ...only.span, ...only.whole }
          }),
    edge: edgeOfDays(dailyExcess(days()).subarray(1)),
    years: yearsOf(runs, from, TIMEFRAME_MS[timeframe], plan.settings.initialBalance),
  }
}

const createCloses = (length: number): RunCloses => ({
  equity: new Float64Array(length),
  worth: new Float64Array(length),
})

/** Runs over all candles from the first close at which each pair could be decided: with the settings, and holding. */
function runsOf(order: PreviewOrder, targets: readonly Float64Array[], goneAt?: GoneAt) {
  const { plan, timeframe, costs } = order
  const { settings } = plan
  const step = TIMEFRAME_MS[timeframe]
  const rulesOf = (paid: ReturnType<typeof costSettings>, changes: Partial<BacktestSettings>) =>
    createRules(backtestSettings({ ...settings, timeframe, ...paid, ...changes }))
  const pairs = order.pairs.map(
    ({ symbol, candles, lotSize, minNotional, tickSize }, k): SharePair => ({
      symbol,
      candles,
      targets: targets[k]!,
      rules: rulesOf(costSettings(costs, tickSize), { lotSize, minNotional }),
    }),
  )
  const { postOnly: _, ...taken } = costs
  const runs = createShareRuns(
    pairs,
    pairs.map(() => rulesOf(costSettings(taken), { lotSize: 0, minNotional: 0, maxDrawdownPct: 100, targetBand: 0 })),
    goneAt,
  )
  const { times } = runs
  const from = timeAtOrAfter(
    times,
    goneAt === undefined ? Math.max(...pairs.map((pair) => firstDecision(order, pair))) : firstHeld(pairs),
  )
  const end = times.length
  if (end - from < 2)
    throw new AppError('too_few_candles', 'No candle has closed since the first decision: try again later.')
  const years = (times[end - 1]! - times[from]!) / DAY_MS / 365.25
  const whole = (run: ShareRuns['run']) => {
    const closes = createCloses(end)
    const made = run(from, end, settings.initialBalance, closes)
    const shareAt = (t: number) => closes.worth[t]! / closes.equity[t]!
    let shares = 0
    for (let t = from; t < end; t++) shares += shareAt(t)
    const shown = {
      finalBalance: made.finalEquity,
      totalReturnPct: 100 * (made.finalEquity / settings.initialBalance - 1),
      maxDrawdownPct: made.maxDrawdownPct,
      haltedAt: made.haltedAt,
      orders: made.orders,
      tooSmall: made.tooSmall,
      costs: made.costs,
      turnoverPerYear: made.turnover / years,
      heldPct: 100 * (shares / (end - from)),
      ...(made.posted && { posted: made.posted }),
    }
    return { equity: closes.equity, shareAt, shown }
  }
  const [policy, held] = [whole(runs.run), whole(runs.hold)]
  const days = () => {
    const ends = dayEnds(Array.from(times.subarray(from), (time, k) => ({ atMs: time + step, t: from + k })))
    return heldDays(
      ends.map(({ atMs, t }) => ({ atMs, equity: policy.equity[t]!, heldShare: policy.shareAt(t) })),
      ends.map(({ t }) => held.equity[t]!),
    )
  }
  const span = { from: times[from]! + step, to: times[end - 1]! + step }
  return { runs, from, span, days, whole: { policyRun: policy.shown, holdRun: held.shown } }
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

/** The open time of the candle at whose close something is wanted of one of the most traded first. */
function firstHeld(pairs: readonly SharePair[]): number {
  const firsts = pairs.flatMap(({ candles, targets }) => candles.ts[targets.findIndex((target) => target > 0)] ?? [])
  if (firsts.length > 0) return Math.min(...firsts)
  throw new AppError(
    'too_few_candles',
    'None of these pairs would have been held yet: that takes candles of the days before a month, and those that the policy looks back over.',
  )
}

/** A run through a year, and the equity at the last close until the end of each twelfth of it. */
interface YearRun {
  readonly run: ShareRun
  readonly equities: readonly number[]
}

/** A year each from every seventh midnight on; null where less than a year is there. */
function yearsOf(runs: ShareRuns, from: number, step: number, balance: number): BotPreview['years'] {
  const { times } = runs
  const made: { policy: YearRun; hold: YearRun }[] = []
  const last = times[times.length - 1]! + step
  const firstDay = Math.floor((times[from]! + step) / DAY_MS) * DAY_MS
  const closes = createCloses(times.length)
  for (let day = firstDay; day + YEAR_DAYS * DAY_MS <= last; day += DAYS_BETWEEN_STARTS * DAY_MS) {
    const start = Math.max(from, timeAtOrAfter(times, day - step))
    const until = timeAtOrAfter(times, day + YEAR_DAYS * DAY_MS)
    const ends = Array.from({ length: MONTHS }, (_, month) => {
      const end = timeAtOrAfter(times, day + (month + 1) * MONTH_MS - step + 1)
      return Math.min(end, until) - 1
    })
    const runYear = (follow: ShareRuns['run']): YearRun => {
      const run = follow(start, until, balance, closes)
      return { run, equities: ends.map((end) => (end < start ? balance : closes.equity[end]!)) }
    }
    made.push({ policy: runYear(runs.run), hold: runYear(runs.hold) })
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
  const found = empiricalQuantiles(values, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])
  const [lowest, p5, p25, median, p75, p95, highest] = found as [number, number, number, number, number, number, number]
  return { lowest, p5, p25, median, p75, p95, highest }
}
