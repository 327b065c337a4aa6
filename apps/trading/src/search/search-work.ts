import { availableParallelism } from 'node:os'
import { AppError } from '@shapecast/contracts/errors'
import { isSearchedSetting, SEARCHED_SETTINGS, type SearchResult } from '@shapecast/contracts/search'
import { runBacktest } from '@shapecast/engine/backtest'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, dailyCloses, sliceCandles } from '@shapecast/engine/candles'
import { metricsOfRange } from '@shapecast/engine/metrics'
import { type Plan, planOf } from '@shapecast/engine/policies/plan'
import { targetColumn } from '@shapecast/engine/policies/targets'
import { createRandom } from '@shapecast/engine/random'
import { resultIntervals } from '@shapecast/engine/result-intervals'
import { createRuleColumns } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import { intervalsOfRange } from '@shapecast/engine/run-intervals'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { choicesAt, valuesAt } from '@shapecast/engine/search/search-space'
import { botAt } from '@shapecast/engine/search/searched-bot'
import { whatMoved } from '@shapecast/engine/search/what-moved'
import type { SearchVerdict } from '@shapecast/engine/selection/search-verdict'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { type BacktestBotDeps, preparePair } from '../backtests/backtest-bot.ts'
import { joinCandles } from '../backtests/run-candles.ts'
import { splitSeen } from '../backtests/seen-ranges.ts'
import { deciderOf } from '../deciders/deciders.ts'
import { ruleForecast } from '../deciders/rule.ts'
import type { Control, Work } from '../ground/jobs/kind.ts'
import { openCandles, openedAt } from '../trials/opened.ts'
import { trialsOf } from '../trials/trials.ts'
import { type RunPoints, withPoints } from './run-points.ts'
import { keptFrom, stretchOf } from './search-candles.ts'
import { type Found, keptState, type SearchJob, type SearchProgress } from './search-kind.ts'
import { firstPlan, historyOf, type SearchOrder } from './search-order.ts'
import { insertResult, type PackedResult, packResult } from './search-store.ts'
import type { Winner } from './tables.ts'

const DRAWS = 999
const SEED = 1
const MOST_CURVE_POINTS = 500
const YEARLY = Math.sqrt(365.25)

export interface SearchWorkDeps extends BacktestBotDeps {
  db: Database
  /** Threads that run points; by default all processors but one, which bots and other jobs keep. */
  threads?: number | undefined
}

/** Carries out searches, each from its start: one that a dead worker left behind comes to the same result. */
export const searchWork = (
  deps: SearchWorkDeps,
): Work<SearchJob['payload'], SearchProgress, Found, PackedResult & { found: Found }> => ({
  async run(job, control) {
    const { result, winner, found } = await runSearch(deps, job, control)
    return { ...(await packResult(result, winner)), found }
  },

  async complete(tx, { id, userId, payload }, made, nowMs) {
    const kept = await openKept(tx, { userId, payload }, made.result, nowMs)
    const packed = kept === 'opened' ? made : await packResult(withoutKept(made.result), made.winner)
    await insertResult(tx, id, packed)
    const { points } = made.found
    return { result: { ...made.found, kept }, progress: { current: points, total: points, leftS: 0 } }
  },
})

/** A result that says nothing of the kept part. */
const withoutKept = (result: SearchResult): SearchResult => {
  const { curves, searched } = result
  const best = curves.best.map((value, k) => (curves.t[k]! <= searched.to ? value : null))
  return { ...result, keptRun: null, curves: { ...curves, best } }
}

/** Opens the kept part for the best, unless an earlier run has. */
async function openKept(
  tx: Orm,
  { userId, payload }: Pick<SearchJob, 'userId' | 'payload'>,
  { searched, kept }: SearchResult,
  nowMs: number,
): Promise<Found['kept']> {
  if (userId === null || kept === null) return 'none'
  const { symbol, timeframe, keptPct } = payload.request
  const series = { venue: payload.venue, symbols: [symbol], timeframe }
  await lockUntilCommit(tx, `opened candles of ${userId}`)
  const before = await openedAt(tx, userId, series, { fromMs: kept.from, toMs: kept.to })
  await openCandles(tx, { userId, series, fromMs: searched.from, toMs: kept.to }, nowMs)
  return keptState(keptPct, before)
}

/**
 * The ground of a search, with what is not for its points: the kept candles. With `unasked` no model says anything, and at
 * least so many candles come before it.
 */
export async function groundOf(deps: BacktestBotDeps, order: SearchOrder, signal: AbortSignal, unasked?: number) {
  const { request, bot, space, fromMs, toMs } = order
  const { symbol, timeframe, feeRate, slippageBps } = request
  const plan = firstPlan(order)
  const prepared = await preparePair(
    deps,
    {
      mode: 'rule',
      bot: { id: null, name: 'Search', strategy: 'ml', riskLevel: bot.riskLevel, positionSize: bot.positionSize },
      plan,
      symbol,
      timeframe,
      fromMs,
      toMs,
      limit: 1,
      feeRate,
      slippageBps,
      noSameBarReentry: true,
    },
    { signal, ...(unasked !== undefined && { versions: [] }) },
  )
  const { candles, forecasts, settings } = prepared
  const decider = deciderOf({ strategy: 'ml' }, plan)
  const history = Math.max(unasked ?? 0, historyOf(order), decider.history({ strategy: 'ml' }, plan, timeframe))
  const before = history === 0 ? sliceCandles(candles.run, 0, 0) : await candles.before(history)
  const all = joinCandles(before, candles.run)
  const [said] = forecasts
  const { noSameBarReentry, lotSize, minNotional } = settings
  const whole: SearchGround = {
    candles: all,
    from: before.length,
    timeframe,
    forecast: said === undefined ? null : ruleForecast(said.forecasts, all.length, before.length),
    bot,
    costs: { feeRate, slippageBps, noSameBarReentry, lotSize, minNotional },
    space,
  }
  return { whole, run: candles.run, said }
}

/** The ground without its last candles. */
export function cut(ground: SearchGround, candles: number): SearchGround {
  const { forecast } = ground
  const column = (of: Float64Array) => of.slice(0, ground.from + candles)
  return {
    ...ground,
    candles: sliceCandles(ground.candles, 0, ground.from + candles),
    forecast: forecast && {
      pUp: column(forecast.pUp),
      sigma: column(forecast.sigma),
      edgeBps: column(forecast.edgeBps),
      medians: forecast.medians.map(column),
    },
  }
}

/** Runs a search and judges it; stores nothing. `userId`: whose earlier tries count. Throws `unprocessable`, and the signal's reason. */
export async function runSearch(
  deps: SearchWorkDeps,
  job: Pick<SearchJob, 'payload' | 'userId'>,
  { signal, report }: Pick<Control<SearchProgress>, 'signal' | 'report'>,
): Promise<{ result: SearchResult; winner: Winner; found: Found }> {
  const order = job.payload
  const { request } = order
  const startedAt = performance.now()
  const { whole, run, said } = await groundOf(deps, order, signal)
  const locked = keptFrom(run.length, request.keptPct)
  const threads = deps.threads ?? Math.max(1, availableParallelism() - 1)
  const begun = performance.now()
  const onPoints = (current: number, total: number) => {
    const leftS = Math.ceil(((performance.now() - begun) / current / 1000) * (total - current))
    report({ current, total, leftS })
  }
  return withPoints(
    cut(whole, locked),
    { threads, signal, onPoints, minTrades: request.minTrades, seed: SEED, draws: DRAWS },
    async (points) => {
      const { check } = points
      if (check === null)
        throw new AppError(
          'unprocessable',
          `None of the ${points.places.length} combinations closed ${request.minTrades} trades that varied: widen the values, or ask for fewer trades.`,
        )
      const series = { venue: order.venue, symbols: [request.symbol], timeframe: request.timeframe }
      const tried = job.userId === null ? 0 : (await trialsOf(deps.db.orm, [job.userId], series)).count
      const verdict = await points.verdict(tried + points.places.length - check.trials)
      signal.throwIfAborted()
      const winner = checkedPlaces(points)[check.best!]!
      const values = valuesAt(order.space, winner.place)
      const model =
        said === undefined ? null : { version: said.version, seenRatio: seenOf(sliceCandles(run, 0, locked), said) }
      const ran = { whole, run, locked, values, winner, verdict, tries: tried + points.places.length }
      const result: SearchResult = {
        ...(await figuresOf(order, points, ran)),
        model,
        seconds: (performance.now() - startedAt) / 1000,
      }
      const found: Found = {
        code: verdict.code,
        p: verdict.realityCheck.p,
        kept: 'none',
        points: points.places.length,
        sharpe: result.best.sharpe,
      }
      return { result, winner: { values }, found }
    },
  )
}

/** The share of the searched candles that a model has seen, 0–1. */
export const seenOf = (
  searched: Candles,
  { version, seen }: { version: string; seen: Parameters<typeof splitSeen>[1][number] },
) => splitSeen(searched, [{ ...seen, version }], () => ({ metrics: null as never })).seenRatio

interface Ran {
  readonly whole: SearchGround
  readonly run: Candles
  /** Candles before the kept part. */
  readonly locked: number
  readonly values: Readonly<Record<string, number>>
  readonly winner: Placed
  readonly verdict: SearchVerdict
  readonly tries: number
}

/** A point, by its place in the grid and among the points. */
interface Placed {
  readonly place: number
  readonly index: number
}

/** Those with enough trades, in the order in which the verdict took them. */
function checkedPlaces({ places, figures }: RunPoints): Record<number, Placed> {
  return Object.fromEntries(
    Array.from(places, (place, index) => [place, { place, index }] as const).filter(
      ([, { index }]) => !Number.isNaN(figures.sharpe[index]!),
    ),
  )
}

const rounded = (value: number): number => Number(value.toPrecision(6))

async function figuresOf(
  order: SearchOrder,
  points: RunPoints,
  ran: Ran,
): Promise<Omit<SearchResult, 'model' | 'seconds'>> {
  const { places, figures, rows } = points
  const { run, locked, values, winner, verdict, tries } = ran
  const { parameters, sample } = order.space
  const { deflatedSharpe: deflated, overfitting, minTrackRecordDays } = verdict
  const labels = new Map(order.request.parameters.map(({ name, label }) => [name, label]))
  const best = await points.curve(winner.place)
  const whole = wholeRun(ran, planOf(botAt(order.bot, values)))
  const interval = resultIntervals(best.excess, createRandom(SEED).next).sharpe
  return {
    searched: { ...stretchOf(run, 0, locked)!, days: rows },
    kept: stretchOf(run, locked, run.length),
    parameters: parameters.map(({ name, values: of }) => ({
      name,
      label: labels.get(name) ?? (isSearchedSetting(name) ? SEARCHED_SETTINGS[name].label : name),
      values: [...of],
    })),
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
      interval: interval && [interval[0] * YEARLY, interval[1] * YEARLY],
    },
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
    moved: whatMoved(parameters, places, figures.sharpe, sample !== null),
    curves: await curvesOf(order, points, ran, whole.equity),
  }
}

/** The best over all candles: what it did on the searched ones, and then on those that were kept. */
function wholeRun({ whole: { candles, from, timeframe, forecast, costs }, run }: Ran, plan: Plan) {
  const decisions =
    plan.rule === undefined
      ? targetColumn(plan.targets!, candles, from, timeframe, [])
      : ruleDecisions(plan.rule, createRuleColumns({ candles, timeframe, forecast })).slice(from)
  return runBacktest(run, decisions, backtestSettings({ ...plan.settings, timeframe, ...costs }))
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

/** Of the best over all candles, of the middle and the worst over the searched ones, beside holding. */
async function curvesOf(
  { request: { timeframe, initialBalance } }: SearchOrder,
  points: RunPoints,
  { run, locked }: Ran,
  best: Float64Array,
): Promise<SearchResult['curves']> {
  const ranked = Object.values(checkedPlaces(points)).sort(
    (a, b) => points.figures.sharpe[b.index]! - points.figures.sharpe[a.index]! || a.index - b.index,
  )
  const [median, worst] = [ranked[ranked.length >> 1]!, ranked.at(-1)!]
  const [middle, last] = [await points.curve(median.place), await points.curve(worst.place)]
  const days = dailyCloses(run, timeframe)
  const searchedDays = days.filter((i) => i < locked).length
  const every = Math.ceil(days.length / MOST_CURVE_POINTS)
  const shown = days
    .map((_, day) => day)
    .filter((day) => day % every === 0 || day === searchedDays - 1 || day === days.length - 1)
  const pct = (value: number) => rounded(100 * (value / initialBalance - 1))
  const { open, close, ts } = run
  return {
    t: shown.map((day) => ts[days[day]!]!),
    best: shown.map((day) => pct(best[days[day]!]!)),
    median: shown.map((day) => (day < searchedDays ? pct(middle.equity[day]!) : null)),
    worst: shown.map((day) => (day < searchedDays ? pct(last.equity[day]!) : null)),
    hold: shown.map((day) => rounded(100 * (close[days[day]!]! / open[0]! - 1))),
  }
}
