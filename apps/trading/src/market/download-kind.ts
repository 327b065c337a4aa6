import type { DownloadJob } from '@shapecast/contracts/market'
import { Timeframe } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import { z } from 'zod'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import { holdNewest, insertJob, requeueJob } from '../ground/jobs/job-rows.ts'
import type { JobOf, Progress } from '../ground/jobs/kind.ts'

const DownloadOrder = z.object({
  venue: z.string(),
  symbol: z.string(),
  timeframe: Timeframe,
  /** Open times in ms, both included. */
  fromMs: z.number(),
  toMs: z.number(),
})
export type DownloadOrder = Readonly<z.infer<typeof DownloadOrder>>

/** `current` and `total` in ms of the range. */
export interface DownloadProgress extends Progress {
  /** Everything before it has been asked for and is stored; 0 before it has begun. */
  readonly resumeMs: number
  readonly candles: number
}

/** A download is taken up again by another worker where one dies or is stopped, and asked for again it goes on. */
export const DOWNLOAD = askedKind<DownloadOrder, null, DownloadProgress>({
  name: 'download',
  payload: DownloadOrder,
  start: { current: 0, total: 0, resumeMs: 0, candles: 0 },
  visibility: 'managers',
  words: ['download', 'downloads'],
  unknown: 'This download does not exist.',
  givenUp:
    'The download was interrupted and given up; what came is kept. Ask for the same range again, and it goes on there.',
  resumes: true,
  expireInSeconds: 24 * 60 * 60,
  news: {
    what: ({ payload }) => `Download of ${titleOf(payload)}`,
    done: (_, { progress }) => `${progress.candles.toLocaleString('en')} candles came.`,
    link: () => '/ml-analysis',
  },
})

/** Downloads of one series from one start are the same download. */
export const keyOfDownload = ({ venue, symbol, timeframe, fromMs }: DownloadOrder): string =>
  `${venue} ${symbol} ${timeframe} ${fromMs}`

export const titleOf = ({ symbol, timeframe }: DownloadOrder): string => `${symbol} ${timeframe}`

export const progressOf = (order: DownloadOrder, resumeMs: number, candles: number): DownloadProgress => ({
  current: Math.min(Math.max(resumeMs, order.fromMs), order.toMs) - order.fromMs,
  total: order.toMs - order.fromMs,
  resumeMs,
  candles,
})

/** Writes down a download that a command carries out by itself: a new one, or the earlier one of its key, which goes on. */
export async function downloadHere(tx: Orm, order: DownloadOrder, nowMs: number): Promise<string> {
  const key = keyOfDownload(order)
  const earlier = await holdNewest(tx, DOWNLOAD, key)
  const carried = { queueId: null, userId: null, payload: order }
  if (earlier !== undefined) return (await requeueJob(tx, earlier, carried, nowMs))!.id
  return (await insertJob(tx, DOWNLOAD, { ...carried, id: newId(), key, title: titleOf(order), turn: 0 }, nowMs)).id
}

/** A download as the API shows it. */
export function shownDownload({
  id,
  status,
  payload,
  progress,
  error,
  createdAtMs,
}: JobOf<typeof DOWNLOAD>): DownloadJob {
  const { fromMs, toMs, ...series } = payload
  const resumeMs = Math.max(fromMs, progress.resumeMs)
  return {
    _id: id,
    status,
    ...series,
    from: fromMs,
    to: toMs,
    resumeAt: resumeMs,
    candles: progress.candles,
    progress: toMs > fromMs ? Math.min(1, (resumeMs - fromMs) / (toMs - fromMs)) : 1,
    leftS: progress.leftS,
    error,
    createdAt: createdAtMs,
  }
}
