import { BacktestRequest, type BacktestRun } from '@shapecast/contracts/backtest'
import { AppError } from '@shapecast/contracts/errors'
import type { TrainProgress } from '@shapecast/ml/train-model'
import { recordAudit } from '@shapecast/platform/audit'
import type { z } from 'zod'
import { type BacktestBotHooks, backtestBot } from './features/backtest/backtest-bot.ts'
import { orderOf } from './features/backtest/backtest-order.ts'
import { insertRun } from './features/backtest/run-store.ts'
import { createBotStore } from './features/bots/bot-store.ts'
import { createModelDesk } from './features/ml/model-desk.ts'
import { createModelStore, insertArtifact, type NewArtifact } from './features/ml/model-store.ts'
import { createPredictors } from './features/ml/predictors.ts'
import { trainArtifact } from './features/ml/train-artifact.ts'
import { rangeOfOrder, type TrainOrder } from './features/ml/training-desk.ts'
import { marketOf, type RoomDeps } from './rooms.ts'

/** What a command needs: no queue, the work is done in this process. */
export type CommandDeps = Omit<RoomDeps, 'queue'>

/**
 * Trains a version here and now, and stores its artifact as a queued training would. Answers the artifact with its id.
 * Throws `no_candles`, `too_few_candles`, `unknown_symbol`, and the reason of `signal` where that fires.
 */
export async function trainNow(
  { db, venue, now = Date.now }: CommandDeps,
  order: TrainOrder,
  hooks: { signal?: AbortSignal; onProgress?(progress: TrainProgress): void } = {},
): Promise<NewArtifact & { id: string }> {
  const market = marketOf(venue)
  const artifact = await trainArtifact({
    series: { venue: market.venue, symbol: order.symbol, timeframe: order.timeframe },
    version: order.version,
    candles: await market.load(order.symbol, order.timeframe, rangeOfOrder(order)),
    params: order.params,
    createdAtMs: now(),
    now,
    ...hooks,
  })
  return db.orm.transaction(async (tx) => {
    const id = await insertArtifact(tx, artifact, null, now())
    const { venue: name, symbol, timeframe, version, hash } = artifact
    await recordAudit(tx, {
      actorId: null,
      address: null,
      action: 'model.trained',
      subject: { type: 'artifact', id },
      after: { version, venue: name, symbol, timeframe, hash },
    })
    return { ...artifact, id }
  })
}

/**
 * Backtests a bot (by its id) or a model (by its version) here and now, and saves the run; nobody owns it, so admins
 * see it, and everybody where the bot is public. Throws as `backtestBot` does, and `not_found` for an unknown bot.
 */
export async function backtestNow(
  { db, venue, now = Date.now }: CommandDeps,
  request: z.input<typeof BacktestRequest>,
  hooks: BacktestBotHooks = {},
): Promise<BacktestRun> {
  const body = BacktestRequest.parse(request)
  const bot = body.botId === undefined ? null : await createBotStore(db.orm, venue.name).find(body.botId)
  if (bot === undefined) throw new AppError('not_found', `There is no bot ${body.botId} on ${venue.name}.`)
  const store = createModelStore(db.orm, venue.name)
  const predictors = createPredictors(store)
  try {
    const models = { current: createModelDesk(store).current, require: predictors.require, use: predictors.use }
    const run = await backtestBot({ market: marketOf(venue), models, now }, orderOf(body, bot), hooks)
    const id = await db.orm.transaction((tx) => insertRun(tx, run, null, now()))
    return { _id: id, ...run.summary, ...run.detail }
  } finally {
    await predictors.close()
  }
}
