import type { JobKind } from '@shapecast/contracts/job-status'
import { BACKTEST, backtestWork } from './backtests/backtest-kind.ts'
import { findJob } from './ground/jobs/job-rows.ts'
import type { AnyKind } from './ground/jobs/kind.ts'
import { BATCH } from './lab/batch-kind.ts'
import { batchWork } from './lab/batch-work.ts'
import { WALK_FORWARD } from './lab/walk-kind.ts'
import { walkWork } from './lab/walk-work.ts'
import { DOWNLOAD } from './market/download-kind.ts'
import { liveMarketOf } from './market/live-market.ts'
import { downloadWork } from './market/run-download.ts'
import { IMPORTANCE } from './models/importance/importance-kind.ts'
import { importanceWork } from './models/importance/measure-artifact.ts'
import { TRAINING } from './models/training-kind.ts'
import type { Parts } from './parts.ts'
import { SEARCH } from './search/search-kind.ts'
import { searchWork } from './search/search-work.ts'

/** Candles of the first history that a chart asks for. */
const FIRST_HISTORY = 5_000

/** Every kind of job. */
export const JOB_KINDS: Readonly<Record<JobKind, AnyKind>> = {
  training: TRAINING,
  backtest: BACKTEST,
  download: DOWNLOAD,
  importance: IMPORTANCE,
  search: SEARCH,
  walk_forward: WALK_FORWARD,
  batch: BATCH,
}

/** Takes jobs of every kind from the queue, and helps other workers with theirs; downloads only where the market is an exchange. */
export async function takeJobs(parts: Parts, threads: number | undefined): Promise<void> {
  const { db, jobs, now } = parts
  const { training, measuring } = parts.models()
  await jobs.work(TRAINING, training, (id) => fillHistory(parts, id))
  await jobs.work(BACKTEST, backtestWork(parts.backtest()))
  await jobs.work(WALK_FORWARD, walkWork({ ...parts.backtest(), threads }))
  await jobs.work(BATCH, batchWork(parts.backtest()))
  await jobs.work(SEARCH, searchWork({ ...parts.backtest(), db, threads }))
  await jobs.help()
  await jobs.work(IMPORTANCE, importanceWork(measuring))
  const live = liveMarketOf(parts.venue)
  if (live !== null) await jobs.work(DOWNLOAD, downloadWork({ db, source: live.source, now }))
}

/** Works out what a chart will ask for first, so that nobody waits for it; a request meanwhile makes it then. */
async function fillHistory(parts: Parts, trainingId: string): Promise<void> {
  try {
    const training = await findJob(parts.db.orm, TRAINING, trainingId)
    if (training?.status !== 'completed') return
    const { version, symbol, timeframe } = training.payload
    await parts.forecasts().predictions.history({ version, symbol, timeframe, limit: FIRST_HISTORY })
  } catch (error) {
    parts.log.warn({ err: error, training: trainingId }, 'the history of a new model could not be filled')
  }
}
