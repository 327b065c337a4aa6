import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { CandleSource } from '../market/series-market.ts'

/** What knows whether a symbol or a version exists. */
export interface Known extends CandleSource {
  /** Throws `not_found`. */
  requireVersion(version: string): Promise<void>
}

/**
 * Does what needs trained versions of a series. Where it fails, a symbol or a version that does not exist is told before a
 * model that is not trained: only then is it looked for.
 */
export async function unknownFirst<R>(
  { load, requireVersion }: Known,
  { symbol, timeframe, versions }: { symbol: string; timeframe: Timeframe; versions: readonly string[] },
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work()
  } catch (error) {
    await load(symbol, timeframe, { limit: 1 })
    for (const version of versions) await requireVersion(version)
    throw error
  }
}
