import { recordActivity } from '@shapecast/platform/activities'
import type { Orm } from '@shapecast/platform/database/database'
import type { Progress, Work } from '../ground/jobs/kind.ts'
import { openCandles } from '../trials/opened.ts'
import { backtestBot } from './backtest-bot.ts'
import { wordsOf } from './backtest-kind.ts'
import type { BacktestOrder } from './backtest-order.ts'
import type { BacktestBotDeps } from './prepare-pair.ts'
import { insertRun, type PackedRun, packRun } from './run-store.ts'

export interface BacktestWorkDeps extends BacktestBotDeps {
  /** Whether everybody sees this bot; it stays so until the transaction ends. */
  isPublicBot(tx: Orm, botId: string): Promise<boolean>
}

/** Carries out backtests, each from its start. */
export const backtestWork = (deps: BacktestWorkDeps): Work<BacktestOrder, Progress, { runId: string }, PackedRun> => ({
  async run({ payload }, { signal, report }) {
    const onProgress = (current: number, total: number) => report({ current, total })
    return packRun(await backtestBot(deps, payload, { signal, onProgress }))
  },

  async complete(tx, { userId, payload: order }, run, nowMs) {
    const isPublic = order.bot.id !== null && (await deps.isPublicBot(tx, order.bot.id))
    const runId = await insertRun(tx, run, userId, nowMs)
    await recordActivity(tx, {
      type: 'backtest',
      action: 'backtest.finished',
      actorId: userId,
      subject: { id: runId, name: wordsOf(order) },
      owner: { userId: userId!, isPublic },
    })
    const { candles, venue, symbol, symbols = [symbol], timeframe, startTime: fromMs, endTime: toMs } = run.summary
    if (userId !== null) await openCandles(tx, { userId, series: { venue, symbols, timeframe }, fromMs, toMs }, nowMs)
    return { result: { runId }, progress: { current: candles, total: candles } }
  },
})
