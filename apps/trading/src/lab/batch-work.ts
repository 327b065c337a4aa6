import type { BatchCell, BatchResult } from '@shapecast/contracts/batch'
import { AppError } from '@shapecast/contracts/errors'
import { candlesPerYear } from '@shapecast/contracts/timeframes'
import { dailyCloses } from '@shapecast/engine/candles'
import { ENGINE_VERSION } from '@shapecast/engine/engine-version'
import { batchVerdict } from '@shapecast/engine/verdicts/batch-verdict'
import { type DailyCourse, equalRisk } from '@shapecast/engine/verdicts/equal-risk'
import type { Orm } from '@shapecast/platform/database/database'
import { backtestBot } from '../backtests/backtest-bot.ts'
import type { BacktestOrder } from '../backtests/backtest-order.ts'
import { triedBy } from '../backtests/backtest-service.ts'
import type { BacktestBotDeps } from '../backtests/prepare-pair.ts'
import { type FinishedRun, insertRun, type PackedRun, packRun } from '../backtests/run-store.ts'
import { hashData } from '../ground/hash-data.ts'
import type { PartedWork, SharedWork } from '../ground/jobs/kind.ts'
import type { LabProgress } from '../search/lab-job.ts'
import { curveIndices, keptFrom, rounded, searchCandles } from '../search/search-candles.ts'
import { openCandles } from '../trials/opened.ts'
import { countTrials, trialsOf } from '../trials/trials.ts'
import type { BatchOrder } from './batch-kind.ts'

/** A cell that was run, or why it was not. */
type Ran =
  | ({ readonly packed: PackedRun; readonly course: DailyCourse } & Pick<
      FinishedRun['detail'],
      'sharpeOverHolding' | 'randomEntries'
    >)
  | { readonly missing: { code: string; text: string } }

interface Made extends Pick<BatchResult, 'equalRisk'> {
  readonly cells: readonly Ran[]
}

/** A batch in parts of one cell each; all see the candles up to when it was asked for. */
export const batchWork = (deps: BacktestBotDeps): SharedWork<BatchOrder, LabProgress, BatchResult, Made> => ({
  async open({ payload: { request, orders }, createdAtMs }, signal): Promise<PartedWork<Ran, LabProgress, Made>> {
    return {
      basis: hashData([ENGINE_VERSION, orders, request.keptPct]),
      count: orders.length,
      lanes: 1,
      run: (k) => runCell(deps, { ...orders[k]!, toMs: createdAtMs }, request.keptPct, signal),
      shown: (current) => ({ current, total: orders.length }),
      join: async (cells) => ({ cells, equalRisk: equalRiskOf(request, orders, cells) }),
      close: async () => undefined,
    }
  },

  async complete(tx, { userId, payload: { orders, venue } }, made, nowMs) {
    const ids: string[] = []
    for (const [k, ran] of made.cells.entries()) ids.push(await saveRun(tx, orders[k]!, ran, userId, nowMs))
    const tries = await triesOf(tx, orders, userId, venue)
    const total = orders.length
    return { result: batchResult(orders, made, ids, tries), progress: { current: total, total } }
  },
})

/** What a batch came to; `ids` of its saved runs. */
export function batchResult(
  orders: readonly BacktestOrder[],
  made: Made,
  ids: readonly string[],
  tries: number,
): BatchResult {
  const cells = made.cells.map((ran, k) => cellOf(orders[k]!, ran, ids[k]!))
  const verdict = batchVerdict(
    cells.map(({ run, timeframe }) => run && judgedCell(run, timeframe)),
    tries,
  )
  return { cells, verdict, tries, equalRisk: made.equalRisk }
}

/** The runs of each timeframe as one account; curves of at most some hundred points. */
function equalRiskOf(
  { timeframes, feeRate, slippageBps }: BatchOrder['request'],
  orders: readonly BacktestOrder[],
  cells: readonly Ran[],
): BatchResult['equalRisk'] {
  return timeframes.flatMap((timeframe) => {
    const courses = cells.flatMap((ran, k) =>
      orders[k]!.timeframe === timeframe && 'course' in ran ? [ran.course] : [],
    )
    const found = equalRisk(courses, feeRate + slippageBps / 10_000)
    if (found === null) return []
    const { figures, holdFigures, t, own, hold } = found
    const shown = curveIndices(t.length)
    const thin = (column: readonly number[]) => shown.map((i) => rounded(column[i]!))
    const curves = { t: shown.map((i) => t[i]!), own: thin(own), hold: thin(hold) }
    return [{ timeframe, runs: courses.length, days: t.length, figures, holdFigures, curves }]
  })
}

const judgedCell = (run: NonNullable<BatchCell['run']>, timeframe: BatchCell['timeframe']) => ({
  sharpe: run.sharpeOverHolding ?? null,
  years: run.candles / candlesPerYear(timeframe),
  isClear: run.intervals.verdict === 'gained_beyond_chance',
})

/** A series that cannot be tested is no reason to lose the others. */
async function runCell(
  deps: BacktestBotDeps,
  order: BacktestOrder,
  keptPct: number,
  signal: AbortSignal,
): Promise<Ran> {
  try {
    const candles = await searchCandles(deps.market, { ...order, to: order.toMs })
    const end = keptFrom(candles.length, keptPct)
    let course: DailyCourse = { t: [], equity: [], close: [] }
    const run = await backtestBot(
      deps,
      { ...order, fromMs: candles.ts[0]!, toMs: candles.ts[end - 1]! },
      {
        signal,
        onEquity(equity, of) {
          const days = dailyCloses(of, order.timeframe)
          const at = (column: Float64Array) => days.map((i) => column[i]!)
          course = { t: at(of.ts), equity: at(equity), close: at(of.close) }
        },
      },
    )
    const { sharpeOverHolding, randomEntries } = run.detail
    return { packed: await packRun(run), course, sharpeOverHolding, randomEntries }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { missing: { code: error.code, text: error.message } }
  }
}

/** Saves the run of a cell, and answers its id; it is a try, and its candles are open. */
async function saveRun(tx: Orm, order: BacktestOrder, ran: Ran, userId: string | null, nowMs: number): Promise<string> {
  if ('missing' in ran) return ''
  const { startTime: fromMs, endTime: toMs, venue } = ran.packed.summary
  if (userId !== null) {
    const series = { venue, symbols: [order.symbol], timeframe: order.timeframe }
    await countTrials(tx, { userId, series, kind: 'backtest', tried: triedBy(order) })
    await openCandles(tx, { userId, series, fromMs, toMs }, nowMs)
  }
  return insertRun(tx, ran.packed, userId, nowMs)
}

function cellOf({ symbol, timeframe }: BacktestOrder, ran: Ran, id: string): BatchCell {
  if ('missing' in ran) return { symbol, timeframe, missing: ran.missing, run: null }
  const { startTime: from, endTime: to, candles, metrics, intervals } = ran.packed.summary
  const { trades, sharpeLike, totalReturnPct, maxDrawdownPct, buyAndHoldReturnPct } = metrics
  const { code, p } = ran.randomEntries ?? {}
  return {
    symbol,
    timeframe,
    missing: null,
    run: {
      id,
      from,
      to,
      candles,
      metrics: { trades, sharpeLike, totalReturnPct, maxDrawdownPct, buyAndHoldReturnPct },
      sharpeOverHolding: ran.sharpeOverHolding,
      intervals: {
        sharpe: intervals!.sharpe,
        totalReturnPct: intervals!.totalReturnPct,
        verdict: intervals!.verdict,
      },
      entries: code === undefined ? null : { code, p: p! },
    },
  }
}

async function triesOf(
  tx: Orm,
  orders: readonly BacktestOrder[],
  userId: string | null,
  venue: string,
): Promise<number> {
  if (userId === null) return 0
  let tries = 0
  for (const { symbol, timeframe } of orders)
    tries += (await trialsOf(tx, [userId], { venue, symbols: [symbol], timeframe })).count
  return tries
}
