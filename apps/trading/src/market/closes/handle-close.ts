import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Logger } from '@shapecast/platform/logging'
import type { Close } from './close-job.ts'

export interface HandleCloseDeps {
  readonly venue: string
  /** Forecasts each artifact that is on record once, and seals what it says. */
  seal(symbol: string, timeframe: Timeframe, candleTs: number): Promise<{ open: number; late: boolean }>
  /** Takes the bots of a timeframe through all that has closed and that they have not decided. */
  decide(timeframe: Timeframe): Promise<unknown>
  readonly log: Logger
}

/** An artifact may be replaced while it forecasts: then the new one is asked. */
const SEAL_TRIES = 2

/**
 * What is done at the close of a candle: each artifact forecasts once and is sealed, then the bots decide. Sealing is
 * bound to its time and so waits for no bot. However often it is called, in whatever processes: each is done once.
 */
export const createCloseHandler =
  ({ venue, seal, decide, log }: HandleCloseDeps) =>
  async (close: Close): Promise<void> => {
    if (close.venue !== venue) return
    const { symbol, timeframe, candleTs } = close
    for (let tries = 1; tries <= SEAL_TRIES; tries++) {
      const { open, late } = await seal(symbol, timeframe, candleTs)
      if (late && open > 0) log.info({ ...close, open }, 'too late to seal the predictions of a candle')
      if (late || open === 0) break
    }
    await decide(timeframe)
  }
