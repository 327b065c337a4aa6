import type { DownloadJob } from '@shapecast/contracts/market'
import { formatCounted } from '#kit/format/number.ts'

/** How far a download is, as a sentence. */
export function downloadWords({ status, candles, error }: Pick<DownloadJob, 'status' | 'candles' | 'error'>): string {
  switch (status) {
    case 'queued':
      return 'Queued…'
    case 'running':
      return `Downloading, ${formatCounted(candles, 'candle')} so far`
    case 'completed':
      return `Completed, ${formatCounted(candles, 'candle')}`
    case 'failed':
      return error ?? 'The download failed'
    case 'cancelled':
      return `Cancelled, ${formatCounted(candles, 'candle')} kept`
    default:
      return status satisfies never
  }
}

export const isDownloading = ({ status }: Pick<DownloadJob, 'status'>): boolean =>
  status === 'queued' || status === 'running'
