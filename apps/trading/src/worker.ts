import { repeatWork } from '@shapecast/platform/regular-work'
import { BOT_CANDLES_KEPT_BY_DEFAULT, MODELS_KEPT_BY_DEFAULT } from '@shapecast/platform/settings'
import { forgetAlerts, isAnyOn, watchAlerts } from './alerts/watch-alerts.ts'
import { KEEP_EQUITY_EVERY_MS } from './bots/keep-equity.ts'
import { takeJobs } from './job-kinds.ts'
import { CLOSE } from './market/closes/close-job.ts'
import { forgetOldRevisions } from './market/forget-revisions.ts'
import { followFunding } from './market/funding/follow-funding.ts'
import { requestFirstModel } from './models/first-model.ts'
import type { Parts } from './parts.ts'
import { pruneArtifacts } from './prune-artifacts.ts'
import { pruneHistory } from './prune-history.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A series that catches up holds up no other. */
const CLOSES_AT_ONCE = 2

export interface WorkerOptions {
  /** Newest artifacts that stay of each version and series. */
  modelsKept?: number | undefined
  /** Newest candles of each bot whose decisions stay. */
  botCandlesKept?: number | undefined
  /** Threads of a search or a walk in this worker; by default all processors but one. */
  threads?: number | undefined
}

export interface TradingWorker {
  /** Ends the regular work. */
  rest(): Promise<void>
  /** Ends the regular work and closes the models. Jobs use these: the queue's own `stop` comes first, where some may run. */
  stop(): Promise<void>
}

/**
 * Takes the trading service's jobs, trainings, backtests and importances, one of each at a time in this process, and the
 * closes of candles; does the regular work: sweeping temporary bots, ending jobs that were given up, asking for the first
 * model, filling orders that wait, looking up real orders at the exchange.
 */
export async function startWorker(
  parts: Parts,
  { modelsKept = MODELS_KEPT_BY_DEFAULT, botCandlesKept = BOT_CANDLES_KEPT_BY_DEFAULT, threads }: WorkerOptions,
): Promise<TradingWorker> {
  const { db, queue, jobs, market, log, now } = parts
  const { modelStore, predictors, trainings } = parts.models()
  const { drift } = parts.forecasts()
  const { exchange, orders } = parts.accounts()
  const { paper, realBots, closes } = parts.running()
  await takeJobs(parts, threads)
  await queue.work(CLOSE, { concurrency: CLOSES_AT_ONCE }, ({ payload }) => parts.handleClose()(payload))
  const every = (intervalMs: number, name: string, work: (done: () => void) => Promise<unknown>) =>
    repeatWork(log, intervalMs, name, work)
  /** One process at a time does it. Most of the time there is none, and a look is less than a turn. */
  const alone = (name: string, isDue: () => Promise<boolean>, work: () => Promise<void>) => async () => {
    if (await isDue()) await db.locks.alone(name, work)
  }
  const anyAlert = () => isAnyOn(db.orm, market.venue)
  const regular = [
    every(MINUTE_MS, 'sweeping temporary bots', () => parts.bots().bots.sweep()),
    every(20_000, 'ending jobs that were given up', () => jobs.sweep()),
    every(MINUTE_MS, 'looking for drift', () => drift.watch()),
    every(MINUTE_MS, 'training models again', () => db.locks.alone('retraining', parts.retraining().turn)),
    every(5_000, 'deciding bots', () => closes.catchUp()),
    every(1_000, 'taking virtual bots on between closes', paper.between),
    every(1_000, 'taking bots with real money on between closes', realBots.execution.between),
    every(2_000, 'filling orders that wait', alone('orders that wait', orders.anyWaiting, orders.watchOrders)),
    every(
      2_000,
      'looking at alerts',
      alone('alerts', anyAlert, () => watchAlerts(parts.watching())),
    ),
    every(2_000, 'looking up real orders', alone('real orders', exchange.isAnyDue, exchange.reconcileOrders)),
    every(KEEP_EQUITY_EVERY_MS, 'keeping what accounts are worth', parts.keepEquity()),
    every(MINUTE_MS, 'holding bots against holding', () => db.locks.alone('evidence', parts.evidenceWatch())),
    every(30_000, 'fetching funding rates', () => db.locks.alone('funding', () => followFunding(parts))),
    every(6 * HOUR_MS, 'forgetting old revisions of candles', () => forgetOldRevisions(db.orm, now())),
    every(24 * HOUR_MS, 'deleting superseded models', () => pruneArtifacts(db, modelsKept)),
    every(HOUR_MS, 'deleting old decisions and forecasts', () => pruneHistory(db, botCandlesKept)),
    every(HOUR_MS, 'deleting old jobs', () => jobs.prune()),
    every(HOUR_MS, 'forgetting deleted alerts', () => forgetAlerts(db.orm, now())),
    every(20_000, 'asking for the first model', (done) =>
      requestFirstModel(db.orm, modelStore, trainings, log).then((nothingLeft) => nothingLeft && done()),
    ),
  ]
  const rest = async (): Promise<void> => {
    await Promise.all(regular.map((work) => work.stop()))
    await closes.idle()
  }
  return {
    rest,
    async stop() {
      await rest()
      await predictors.close()
      await exchange.close()
    },
  }
}
