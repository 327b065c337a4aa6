import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Sealer } from './seal-predictions.ts'

export interface RegularSealing {
  /** The series that some version in production or staging predicts. */
  series(): Promise<{ symbol: string; timeframe: Timeframe }[]>
  marketTime(): Promise<number | null>
  sealer: Sealer
}

/**
 * Seals what has closed since it was last asked, whoever told of it or not: a candle is tried again until it is stored and
 * sealed, or until it is too late.
 */
export function createRegularSealing({ series, marketTime, sealer }: RegularSealing): () => Promise<void> {
  const settled = new Map<string, number>()
  return async () => {
    const now = await marketTime()
    if (now === null) return
    for (const { symbol, timeframe } of await series()) {
      const step = TIMEFRAME_MS[timeframe]
      const closed = Math.floor(now / step) * step - step
      const key = `${symbol} ${timeframe}`
      if (settled.get(key) === closed) continue
      const { open, late } = await sealer.sealPredictions(symbol, timeframe, closed)
      if (open === 0 || late) settled.set(key, closed)
    }
  }
}
