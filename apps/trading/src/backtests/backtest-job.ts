import type { Logger } from '@shapecast/platform/logging'
import { failureText } from '../ground/job-end.ts'
import { reportProgress } from '../ground/job-progress.ts'
import { type BacktestBotDeps, backtestBot } from './backtest-bot.ts'
import { type JobStore, orderOfRow } from './job-store.ts'

const REPORT_EVERY_MS = 250

export interface BacktestJobDeps extends BacktestBotDeps {
  jobs: JobStore
  log: Logger
}

/**
 * Carries out one queued backtest from its start; one that a dead worker left behind starts over. It ends as
 * completed with its run, failed with a text, or cancelled. Where `signal` fires because this process stops, or
 * where the database cannot be reached, the row is left as it is and the error thrown on, so that the queue hands the job
 * to another worker.
 */
export async function runBacktestJob(deps: BacktestJobDeps, id: string, signal: AbortSignal): Promise<void> {
  const { jobs, log, now } = deps
  const row = await jobs.begin(id)
  if (row === undefined) return
  let latest = [0, 0] as [number, number]
  const progress = reportProgress(
    () => jobs.report(id, ...latest),
    REPORT_EVERY_MS,
    (error) => log.warn({ err: error, backtest: id }, 'progress could not be written'),
  )

  try {
    const run = await backtestBot(deps, orderOfRow(row), {
      signal: AbortSignal.any([signal, progress.cancelled]),
      onProgress: (current, total) => {
        latest = [current, total]
      },
    })
    await progress.stop()
    await jobs.complete(id, run, now())
  } catch (error) {
    if (progress.cancelled.aborted) return
    await jobs.end(id, failureText(error, { what: 'backtest', id, signal, log }), now())
  } finally {
    await progress.stop()
  }
}
