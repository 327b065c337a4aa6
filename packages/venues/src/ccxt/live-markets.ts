import { setTimeout as wait } from 'node:timers/promises'
import type { LiveVenue } from '../live-venue.ts'
import type { ExchangeStreams } from './calls/exchange-calls.ts'
import { type CcxtVenueDeps, createCcxtVenue } from './ccxt-venue.ts'
import { fetchFunding } from './funding-source.ts'
import { type ExchangeSettings, loadExchange } from './load-exchange.ts'

/** Whether an exchange's public interface answers within `timeoutMs`. */
export async function exchangeAnswers(
  id: string,
  timeoutMs: number,
  settings: ExchangeSettings = {},
): Promise<boolean> {
  const exchange = (await loadExchange(id, { ...settings, timeoutMs })) as ExchangeStreams
  const answer = exchange.fetchTime().then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, wait(timeoutMs, false, { ref: false })])
  } finally {
    await exchange.close().catch(() => {})
  }
}

/** What of a venue may be set from outside. */
export type OpenExchangeOptions = ExchangeSettings & Omit<CcxtVenueDeps, 'exchange' | 'marketType'>

/**
 * A real exchange as a venue: any that ccxt knows. Prices are always those of the real markets unless `testnet` is given.
 * Throws `bad_input` for an unknown name. Close it when done.
 */
export async function openExchange(id: string, options: OpenExchangeOptions = {}): Promise<LiveVenue> {
  const exchange = (await loadExchange(id, options)) as ExchangeStreams
  const venue = createCcxtVenue({ ...options, exchange })
  return { ...venue, funding: (query) => fetchFunding(id, query, options) }
}
