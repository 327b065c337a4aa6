import type { BacktestJob } from '@shapecast/contracts/backtest'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import type { JobOf } from '../ground/jobs/kind.ts'
import type { BacktestOrder } from './backtest-order.ts'

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
  progress: { current: progress.current, total: progress.total },
  runId: result?.runId ?? null,
  error,
  createdAt: createdAtMs,
})

export const wordsOf = ({ bot, symbol, symbols, timeframe }: BacktestOrder): string =>
  `${bot.name} on ${symbols?.join(', ') ?? symbol} ${timeframe}`
