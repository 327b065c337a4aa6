import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Logger } from '@shapecast/platform/logging'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { Sealer } from './seal-predictions.ts'

export interface RegularSealing {
  /** The series that some version in production or staging predicts, and those that one has predicted. */
  series(): Promise<{ symbol: string; timeframe: Timeframe }[]>
  marketTime(): Promise<number | null>
  sealer: Pick<Sealer, 'sealPredictions'>
  log: Logger
}

/**
 * Seals what has closed since it was last asked, whoever told of it or not: a candle is tried again until it is stored and
 * sealed, or until it is too late, which is logged: it stays a gap in the record. A series that cannot be sealed holds up
 * no other.
 */
export function createRegularSealing({ series, marketTime, sealer, log }: RegularSealing): () => Promise<void> {
  const settled = new Map<string, number>()
  /** Those that failed the last time: it is said once. */
  const failing = new Set<string>()
  return async () => {
    for (const { symbol, timeframe } of await series()) {
      const now = await marketTime()
      if (now === null) return
      const candleTs = lastClosedOpen(timeframe, now)
      const key = `${symbol} ${timeframe}`
      if (settled.get(key) === candleTs) continue
      try {
        const { open, late } = await sealer.sealPredictions(symbol, timeframe, candleTs)
        if (late) log.info({ symbol, timeframe, candleTs, open }, 'too late to seal the predictions of a candle')
        if (open === 0 || late) settled.set(key, candleTs)
        failing.delete(key)
      } catch (error) {
        if (!failing.has(key))
          log.warn({ err: error, symbol, timeframe, candleTs }, 'the predictions of a series could not be sealed')
        failing.add(key)
      }
    }
  }
}
