import type { SealedSpan } from '@shapecast/contracts/track-record'
import { formatCount, formatCounted, UNKNOWN } from '#kit/format/number.ts'

/** `342 of 350 candles`: how much of what a record could hold it holds. */
export const spanWords = (span: SealedSpan | null): string =>
  span === null ? UNKNOWN : `${formatCount(span.candles - span.missed)} of ${formatCounted(span.candles, 'candle')}`
