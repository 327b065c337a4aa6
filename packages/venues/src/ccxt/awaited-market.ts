import { AppError } from '@shapecast/contracts/errors'
import { createBackoff, sleep } from './backoff.ts'
import type { ExchangeMarket } from './calls/exchange-calls.ts'
import type { StreamDeps } from './stream-deps.ts'

/** Waits for a market of the venue; null if the venue does not have it, or the caller no longer wants it. */
export async function awaitedMarket(
  deps: Pick<StreamDeps, 'markets' | 'settings'>,
  symbol: string,
  signal: AbortSignal,
): Promise<ExchangeMarket | null> {
  const { firstWaitMs, random } = deps.settings
  const backoff = createBackoff({ firstMs: firstWaitMs, maxMs: 30_000, random })
  while (!signal.aborted)
    try {
      const market = await deps.markets.of(symbol)
      return signal.aborted ? null : market
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_symbol') return null
      await sleep(backoff.next(), signal).catch(() => {})
    }
  return null
}
