import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
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
 * sealed, or until it is too late, which is logged: it stays a gap in the record. The shortest timeframe goes first, also
 * where it closes while others are being sealed, since it has the least time. A series that cannot be sealed holds up no
 * other.
 */
export function createRegularSealing({ series, marketTime, sealer, log }: RegularSealing): () => Promise<void> {
  const settled = new Map<string, number>()
  /** Those that failed the last time: it is said once. */
  const failing = new Set<string>()

  const seal = async (symbol: string, timeframe: Timeframe, candleTs: number): Promise<void> => {
    const key = `${symbol} ${timeframe}`
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

  return async () => {
    const all = (await series()).toSorted((a, b) => TIMEFRAME_MS[a.timeframe] - TIMEFRAME_MS[b.timeframe])
    const tried = new Map<string, number>()
    for (;;) {
      const now = await marketTime()
      if (now === null) return
      const next = all.find(({ symbol, timeframe }) => {
        const closed = lastClosedOpen(timeframe, now)
        return ![settled, tried].some((done) => done.get(`${symbol} ${timeframe}`) === closed)
      })
      if (next === undefined) return
      const candleTs = lastClosedOpen(next.timeframe, now)
      tried.set(`${next.symbol} ${next.timeframe}`, candleTs)
      await seal(next.symbol, next.timeframe, candleTs)
    }
  }
}
