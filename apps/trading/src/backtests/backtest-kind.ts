import type { BacktestJob } from '@shapecast/contracts/backtest'
import { recordActivity } from '@shapecast/platform/activities'
import type { Orm } from '@shapecast/platform/database/database'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import type { JobOf, Progress, Work } from '../ground/jobs/kind.ts'
import { openCandles } from '../trials/opened.ts'
import { backtestBot } from './backtest-bot.ts'
import type { BacktestOrder } from './backtest-order.ts'
import type { BacktestBotDeps } from './prepare-pair.ts'
import { insertRun, type PackedRun, packRun } from './run-store.ts'

/** A job that has ended is looked at for a while; its run stays. */
const KEPT_MS = 30 * 86_400_000

/** Progress in candles. */
export const BACKTEST = askedKind<BacktestOrder, { runId: string }>({
  name: 'backtest',
  words: ['backtest', 'backtests'],
  limit: { most: 10, retryAfterS: 5 },
  keptMs: KEPT_MS,
  news: {
    what: ({ payload }) => `Backtest of ${wordsOf(payload)}`,
    done: () => 'Open it for the result, on what the model had seen and on what it had not.',
    link: ({ result }) => (result === null ? '/backtest' : `/backtest?run=${result.runId}`),
  },
})

export const jobOf = ({ id, status, progress, result, error, createdAtMs }: JobOf<typeof BACKTEST>): BacktestJob => ({
  _id: id,
  status,
  progress: { current: progress.current, total: progress.total, leftS: progress.leftS },
  runId: result?.runId ?? null,
  error,
  createdAt: createdAtMs,
})

export const wordsOf = ({ bot, symbol, symbols, timeframe }: BacktestOrder): string =>
  `${bot.name} on ${symbols?.join(', ') ?? symbol} ${timeframe}`

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
