import { SEARCH_SHOWN, type SearchResult } from '@shapecast/contracts/search'
import { runBacktest } from '@shapecast/engine/backtest'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, dailyCloses } from '@shapecast/engine/candles'
import { metricsOfRange } from '@shapecast/engine/metrics'
import { type Plan, planOf } from '@shapecast/engine/policies/plan'
import { targetColumn } from '@shapecast/engine/policies/targets'
import { createRandom } from '@shapecast/engine/random'
import { sharpeInterval } from '@shapecast/engine/result-intervals'
import { createRuleColumns } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import { intervalsOfRange } from '@shapecast/engine/run-intervals'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { choicesAt } from '@shapecast/engine/search/search-space'
import { botAt } from '@shapecast/engine/search/searched-bot'
import { whatMoved } from '@shapecast/engine/search/what-moved'
import type { SearchVerdict } from '@shapecast/engine/selection/search-verdict'
import type { RunPoints } from './run-points.ts'
import { curveIndices, rounded, stretchOf } from './search-candles.ts'
import { type SearchOrder, shownParameters } from './search-order.ts'

const SEED = 1
const YEARLY = Math.sqrt(365.25)

export interface Ran {
  readonly whole: SearchGround
  readonly run: Candles
  /** Candles before the kept part. */
  readonly locked: number
  readonly values: Readonly<Record<string, number>>
  readonly winner: Placed
  /** Asks a thread. */
  readonly judge: () => Promise<SearchVerdict>
  readonly tries: number
}

/** A point, by its place in the grid and among the points. */
interface Placed {
  readonly place: number
  readonly index: number
}

/** Those with enough trades, in the order in which the verdict took them. */
export const checkedPlaces = ({ places, figures }: RunPoints): Placed[] =>
  Array.from(places, (place, index) => ({ place, index })).filter(({ index }) => !Number.isNaN(figures.sharpe[index]!))

/** The winner, and after it those with the highest Sharpe ratios. */
const bestPlaces = (ranked: readonly Placed[], winner: Placed): Placed[] =>
  [winner, ...ranked.filter(({ index }) => index !== winner.index)].slice(0, SEARCH_SHOWN)

const rankedPlaces = (points: RunPoints): Placed[] =>
  checkedPlaces(points).sort(
    (a, b) => points.figures.sharpe[b.index]! - points.figures.sharpe[a.index]! || a.index - b.index,
  )

/** 95 % interval of the Sharpe ratio of daily returns, a year. */
function yearlyInterval(daily: Float64Array) {
  const interval = sharpeInterval(daily, createRandom(SEED).next)
  return interval && ([interval[0] * YEARLY, interval[1] * YEARLY] as [number, number])
}

/** All of a result that is worked out from the points. */
export async function figuresOf(
  order: SearchOrder,
  points: RunPoints,
  ran: Ran,
): Promise<{ figures: Omit<SearchResult, 'model' | 'seconds'>; verdict: SearchVerdict }> {
  const { places, figures, rows } = points
  const { run, locked, values, winner, judge, tries } = ran
  const { parameters, sample } = order.space
  const intervalOf = async ({ place, index }: Placed) => {
    const { excess } = await points.curve(place)
    return { point: index, interval: yearlyInterval(excess) }
  }
  const ranked = rankedPlaces(points)
  // A thread goes from one to the next, while the best is run over all candles here and intervals are found.
  const asked = Promise.all([
    Promise.all(bestPlaces(ranked, winner).map(intervalOf)),
    points.curve(ranked[ranked.length >> 1]!.place),
    points.curve(ranked.at(-1)!.place),
    judge(),
  ])
  const whole = wholeRun(ran, planOf(botAt(order.bot, values)))
  const [intervals, median, worst, verdict] = await asked
  const { deflatedSharpe: deflated, overfitting, minTrackRecordDays } = verdict
  const found = {
    searched: { ...stretchOf(run, 0, locked)!, days: rows },
    kept: stretchOf(run, locked, run.length),
    parameters: shownParameters(order),
    points: {
      choices: Array.from(places, (place) => choicesAt(parameters, place)),
      sharpe: Array.from(figures.sharpe, (value) => (Number.isNaN(value) ? null : rounded(value))),
      netReturnPct: Array.from(figures.netReturnPct, rounded),
      maxDrawdownPct: Array.from(figures.maxDrawdownPct, rounded),
      trades: [...figures.trades],
    },
    best: {
      point: winner.index,
      values,
      rule: botAt(order.bot, values).parameters?.rule ?? null,
      sharpe: figures.sharpe[winner.index]!,
      interval: intervals[0]!.interval,
      haltedAt: whole.haltedAt !== null && whole.haltedAt < run.ts[locked - 1]! ? whole.haltedAt : null,
    },
    intervals,
    luck: {
      sharpe: deflated.expectedBest * YEARLY,
      tries,
      effectiveTries: deflated.effectiveTrials,
      meanCorrelation: deflated.meanCorrelation,
      probability: deflated.probability,
      minTrackRecordDays: Number.isFinite(minTrackRecordDays) ? minTrackRecordDays : null,
    },
    overfitting: overfitting && { probability: overfitting.probability, choices: overfitting.choices },
    keptRun: keptRunOf(whole, run, locked),
    fundingAssumed: whole.fundingAssumed,
    moved: whatMoved(parameters, places, figures.sharpe, sample !== null),
    curves: curvesOf(order, ran, { best: whole.equity, median: median.equity, worst: worst.equity }),
  }
  return { figures: found, verdict }
}

/** The best over all candles: what it did on the searched ones, and then on those that were kept. */
function wholeRun({ whole: { candles, from, timeframe, forecast, costs, funding }, run }: Ran, plan: Plan) {
  const decisions =
    plan.rule === undefined
      ? targetColumn(plan.targets!, candles, from, timeframe, [])
      : ruleDecisions(plan.rule, createRuleColumns({ candles, timeframe, forecast })).slice(from)
  return runBacktest(run, decisions, backtestSettings({ ...plan.settings, timeframe, ...costs }), funding)
}

function keptRunOf(result: ReturnType<typeof runBacktest>, run: Candles, locked: number): SearchResult['keptRun'] {
  if (locked === run.length) return null
  const { totalReturnPct, buyAndHoldReturnPct, trades, maxDrawdownPct } = metricsOfRange(
    result,
    run,
    locked,
    run.length,
  )
  const interval = intervalsOfRange(result, run, locked, run.length).totalReturnPct
  return { returnPct: totalReturnPct, interval, holdPct: buyAndHoldReturnPct, trades, maxDrawdownPct }
}

/** Of the best over all candles, and by day of the middle and the worst over the searched ones, beside holding. */
function curvesOf(
  { request: { timeframe, initialBalance } }: SearchOrder,
  { run, locked }: Ran,
  { best, median, worst }: Record<'best' | 'median' | 'worst', Float64Array>,
): SearchResult['curves'] {
  const days = dailyCloses(run, timeframe)
  const searchedDays = days.filter((i) => i < locked).length
  const shown = curveIndices(days.length, searchedDays - 1)
  const pct = (value: number) => rounded(100 * (value / initialBalance - 1))
  const { open, close, ts } = run
  return {
    t: shown.map((day) => ts[days[day]!]!),
    best: shown.map((day) => pct(best[days[day]!]!)),
    median: shown.map((day) => (day < searchedDays ? pct(median[day]!) : null)),
    worst: shown.map((day) => (day < searchedDays ? pct(worst[day]!) : null)),
    hold: shown.map((day) => rounded(100 * (close[days[day]!]! / open[0]! - 1))),
  }
}
