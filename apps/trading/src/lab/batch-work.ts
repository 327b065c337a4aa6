import type { BatchCell, BatchResult } from '@shapecast/contracts/batch'
import { AppError } from '@shapecast/contracts/errors'
import { candlesPerYear } from '@shapecast/contracts/timeframes'
import { batchVerdict } from '@shapecast/engine/verdicts/batch-verdict'
import type { Orm } from '@shapecast/platform/database/database'
import { type BacktestBotDeps, backtestBot } from '../backtests/backtest-bot.ts'
import type { BacktestOrder } from '../backtests/backtest-order.ts'
import { triedBy } from '../backtests/backtest-service.ts'
import { type FinishedRun, insertRun, type PackedRun, packRun } from '../backtests/run-store.ts'
import type { Progress, Work } from '../ground/jobs/kind.ts'
import { keptFrom, searchCandles } from '../search/search-candles.ts'
import { openCandles } from '../trials/opened.ts'
import { countTrials, trialsOf } from '../trials/trials.ts'
import type { BatchOrder } from './batch-kind.ts'

/** A cell that was run, or why it was not. */
type Ran =
  | { readonly packed: PackedRun; readonly run: FinishedRun }
  | { readonly missing: { code: string; text: string } }

/** Carries out batches, each from its start. */
export const batchWork = (deps: BacktestBotDeps): Work<BatchOrder, Progress, BatchResult, Ran[]> => ({
  async run({ payload: { request, orders } }, { signal, report }) {
    const made: Ran[] = []
    for (const [k, order] of orders.entries()) {
      signal.throwIfAborted()
      report({ current: k, total: orders.length })
      made.push(await runCell(deps, order, request.keptPct, signal))
    }
    return made
  },

  async complete(tx, { userId, payload: { orders, venue } }, made, nowMs) {
    const cells: BatchCell[] = []
    for (const [k, ran] of made.entries()) cells.push(await saveCell(tx, orders[k]!, ran, userId, nowMs))
    const tries = await triesOf(tx, orders, userId, venue)
    const verdict = batchVerdict(
      cells.map(({ run, timeframe }) => run && judgedCell(run, timeframe)),
      tries,
    )
    const total = orders.length
    return {
      result: { cells, verdict, tries },
      progress: { current: total, total },
    }
  },
})

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
    const candles = await searchCandles(deps.market, { ...order, from: undefined, to: undefined })
    const end = keptFrom(candles.length, keptPct)
    const run = await backtestBot(deps, { ...order, fromMs: candles.ts[0]!, toMs: candles.ts[end - 1]! }, { signal })
    return { run, packed: await packRun(run) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { missing: { code: error.code, text: error.message } }
  }
}

/** Saves the run of a cell; it is a try, and its candles are open. */
async function saveCell(
  tx: Orm,
  order: BacktestOrder,
  ran: Ran,
  userId: string | null,
  nowMs: number,
): Promise<BatchCell> {
  const { symbol, timeframe } = order
  if ('missing' in ran) return { symbol, timeframe, missing: ran.missing, run: null }
  const { summary, detail } = ran.run
  const id = await insertRun(tx, ran.packed, userId, nowMs)
  const { startTime: from, endTime: to, candles, metrics, intervals, venue } = summary
  if (userId !== null) {
    const series = { venue, symbols: [symbol], timeframe }
    await countTrials(tx, { userId, series, kind: 'backtest', tried: triedBy(order) })
    await openCandles(tx, { userId, series, fromMs: from, toMs: to }, nowMs)
  }
  const { trades, sharpeLike, totalReturnPct, maxDrawdownPct, buyAndHoldReturnPct } = metrics
  const { code, p } = detail.randomEntries ?? {}
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
      sharpeOverHolding: detail.sharpeOverHolding,
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
