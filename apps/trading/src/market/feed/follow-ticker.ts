import type { Ticker } from '@shapecast/contracts/market'
import type { Logger } from '@shapecast/platform/logging'
import type { LiveVenue } from '@shapecast/venues/live-venue'

/** How often the price is asked for where it does not come by itself, ms. */
const POLL_MS = 5_000
/** A stream of prices that says nothing for so long is asked beside. */
const SILENT_MS = 30_000

/** Announces the price of one symbol: by stream where the venue has one, else by asking every few seconds. */
export function followTicker(
  deps: {
    source: Pick<LiveVenue, 'subscribeTicker' | 'ticker' | 'streams'>
    announce: (ticker: Ticker) => void
    log: Logger
    nowMs: () => number
  },
  symbol: string,
): { stop(): void } {
  const { source, announce, log, nowMs } = deps
  let heardAtMs = Number.NEGATIVE_INFINITY
  let asking = false
  let stopped = false
  const take = (ticker: Ticker) => {
    heardAtMs = nowMs()
    if (!stopped) announce(ticker)
  }
  const unsubscribe = source.streams.ticker ? source.subscribeTicker(symbol, take) : () => {}

  async function poll(): Promise<void> {
    if (asking || (source.streams.ticker && nowMs() - heardAtMs < SILENT_MS)) return
    asking = true
    try {
      take(await source.ticker(symbol))
    } catch (error) {
      log.debug({ err: error, symbol }, 'no price')
    } finally {
      asking = false
    }
  }
  const timer = setInterval(() => void poll(), POLL_MS)
  void poll()
  return {
    stop() {
      stopped = true
      clearInterval(timer)
      unsubscribe()
    },
  }
}
