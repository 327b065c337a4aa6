import type { Timeframe } from '@shapecast/contracts/timeframes'
import { repeatWork } from '@shapecast/platform/regular-work'
import { BOT_CANDLES_KEPT_BY_DEFAULT, MODELS_KEPT_BY_DEFAULT } from '@shapecast/platform/settings'
import { backtestWork } from './backtests/backtest-job.ts'
import { BACKTEST } from './backtests/backtest-kind.ts'
import { CLOSE } from './market/closes/close-job.ts'
import { DOWNLOAD } from './market/download-kind.ts'
import { forgetOldRevisions } from './market/forget-revisions.ts'
import { liveMarketOf } from './market/live-market.ts'
import { downloadWork } from './market/run-download.ts'
import { requestFirstModel } from './models/first-model.ts'
import { runImportance } from './models/importance/importance-run.ts'
import { IMPORTANCE } from './models/importance/importance-service.ts'
import { trainArtifact } from './models/train-artifact.ts'
import { runTraining } from './models/training-run.ts'
import { TRAINING } from './models/training-service.ts'
import { pruneArtifacts } from './prune-artifacts.ts'
import { pruneHistory } from './prune-history.ts'
import { createRooms, type RoomDeps } from './rooms.ts'

const SWEEP_EVERY_MS = 60_000
const RECONCILE_EVERY_MS = 20_000
const FIRST_MODEL_EVERY_MS = 20_000
const DRIFT_EVERY_MS = 60_000
const WATCH_EVERY_MS = 2_000
const DECIDE_EVERY_MS = 5_000
const WATCH_BOTS_EVERY_MS = 1_000
const REAL_BOTS_EVERY_MS = 1_000
const LOOK_UP_EVERY_MS = 2_000
const FORGET_EVERY_MS = 6 * 60 * 60_000
const PRUNE_EVERY_MS = 24 * 60 * 60_000
const PRUNE_HISTORY_EVERY_MS = 60 * 60_000
/** A series that catches up holds up no other. */
const CLOSES_AT_ONCE = 2
/** Candles of the first history that a chart asks for. */
const FIRST_HISTORY = 5_000

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
export async function registerTradingWorker(
  deps: RoomDeps & { modelsKept?: number; botCandlesKept?: number },
): Promise<TradingWorker> {
  const rooms = createRooms(deps)
  const { log, now } = rooms
  await deps.queue.work(TRAINING, { concurrency: 1 }, async ({ payload, signal }) => {
    await runTraining(
      {
        store: rooms.trainingStore,
        checkpoints: rooms.checkpoints,
        candles: rooms.market,
        train: trainArtifact,
        judge: rooms.judge,
        log,
        now,
      },
      payload.id,
      signal,
    )
    await fillHistory(payload.id)
  })
  await deps.queue.work(IMPORTANCE, { concurrency: 1 }, ({ id, payload, signal }) =>
    runImportance(rooms.importanceRun, payload.artifactId, id, signal),
  )
  await rooms.jobs.work(BACKTEST, backtestWork(rooms.backtest))
  await deps.queue.work(CLOSE, { concurrency: CLOSES_AT_ONCE }, ({ payload }) => rooms.handleClose(payload))
  const exchange = liveMarketOf(deps.venue)
  if (exchange !== null) await rooms.jobs.work(DOWNLOAD, downloadWork({ db: deps.db, source: exchange.source, now }))
  const every = (intervalMs: number, name: string, work: (done: () => void) => Promise<unknown>) =>
    repeatWork(log, intervalMs, name, work)
  const regular = [
    every(SWEEP_EVERY_MS, 'sweeping temporary bots', () => rooms.bots.sweep()),
    every(RECONCILE_EVERY_MS, 'ending jobs that were given up', async () => {
      await rooms.trainings.reconcile()
      await rooms.importances.reconcile()
      await rooms.jobs.sweep()
    }),
    every(DRIFT_EVERY_MS, 'looking for drift', () => rooms.drift.watch()),
    every(DECIDE_EVERY_MS, 'deciding bots', () => rooms.botTrading.runtime.catchUp('ml')),
    every(DECIDE_EVERY_MS, 'deciding openai bots', () => rooms.botTrading.runtime.catchUp('openai')),
    every(WATCH_BOTS_EVERY_MS, 'watching bots between closes', () => rooms.watchBots()),
    every(WATCH_EVERY_MS, 'filling orders that wait', () => rooms.watchOrders()),
    every(REAL_BOTS_EVERY_MS, 'taking bots with real money on', () => rooms.advanceRealBots()),
    every(LOOK_UP_EVERY_MS, 'looking up real orders', () => rooms.reconcileOrders()),
    every(FORGET_EVERY_MS, 'forgetting old revisions of candles', () => forgetOldRevisions(deps.db.pool, now())),
    every(PRUNE_EVERY_MS, 'deleting superseded models', () =>
      pruneArtifacts(deps.db, deps.modelsKept ?? MODELS_KEPT_BY_DEFAULT),
    ),
    every(PRUNE_HISTORY_EVERY_MS, 'deleting old decisions and forecasts', () =>
      pruneHistory(deps.db, deps.botCandlesKept ?? BOT_CANDLES_KEPT_BY_DEFAULT),
    ),
    every(PRUNE_HISTORY_EVERY_MS, 'deleting old jobs', () => rooms.jobs.prune()),
    every(FIRST_MODEL_EVERY_MS, 'asking for the first model', (done) =>
      requestFirstModel({
        venue: rooms.market.venue,
        models: rooms.modelStore,
        trainings: rooms.trainingStore,
        service: rooms.trainings,
        log,
      }).then((nothingLeft) => nothingLeft && done()),
    ),
  ]
  const rest = async (): Promise<void> => {
    await Promise.all(regular.map((work) => work.stop()))
  }
  return {
    rest,
    async stop() {
      await rest()
      await rooms.predictors.close()
      await rooms.accounts.close()
    },
  }

  /** Works out what a chart will ask for first, so that nobody waits for it; whoever asks meanwhile gets it made then. */
  async function fillHistory(trainingId: string): Promise<void> {
    try {
      const training = await rooms.trainingStore.find(trainingId)
      if (training?.status !== 'completed') return
      const { version, symbol } = training
      const timeframe = training.timeframe as Timeframe
      await rooms.predictions.history({ version, symbol, timeframe, limit: FIRST_HISTORY })
    } catch (error) {
      log.warn({ err: error, training: trainingId }, 'the history of a new model could not be filled')
    }
  }
}
