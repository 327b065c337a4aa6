import { AppError } from '@shapecast/contracts/errors'
import type { AccountCalls } from './calls/account-calls.ts'
import { classNames } from './calls/class-names.ts'
import { dialectOf } from './dialects/dialects.ts'
import { createKnownMarkets, type MarketType } from './known-markets.ts'
import { createVenueAsker } from './venue-asker.ts'
import { createVenueClock } from './venue-clock.ts'
import type { Doing } from './venue-errors.ts'

/**
 * What every call about an account goes through, over an exchange that has its keys: its clock, its markets and the names of
 * their symbols.
 */
export function openAccountConnection(exchange: AccountCalls, marketType: MarketType, now: () => number) {
  const { prepare: makeReady = () => {}, signedAt = () => ({}), doubtful } = dialectOf(exchange.id)
  makeReady(exchange)
  const askPlain = createVenueAsker(exchange, doubtful)
  // ccxt signs by our clock: it is the one that counts here, and the venue itself refuses a wrong time.
  const clock = createVenueClock({ exchange, ask: askPlain, now, steadyMs: now })
  const markets = createKnownMarkets({ exchange, ask: askPlain, now, type: marketType })
  const ourIds = new Map<string, string>()
  return {
    exchange,
    marketType,
    markets,
    now,
    /** Asks the exchange, once its clock is known; errors come out as ours. */
    async ask<T>(call: () => Promise<T>, doing: Doing = 'reading'): Promise<T> {
      await clock.measureOnce()
      try {
        return await askPlain(call, doing)
      } catch (error) {
        // If the venue refuses the time of a request, nothing was done: read the clock and send it again.
        // With a status of 5xx the same words may come from a proxy: an order may have been accepted.
        if (!(error instanceof AppError) || error.code === 'order_ambiguous') throw error
        if (!classNames(error.cause).includes('InvalidNonce')) throw error
        await clock.measure()
        return await askPlain(call, doing)
      }
    },
    /** Reads the clock and the markets, where that was not done yet. */
    async prepare(): Promise<void> {
      await clock.measureOnce()
      await markets.all()
    },
    /** The exchange's name of our symbol. Throws `unknown_symbol`. */
    async nameOf(symbol: string): Promise<string> {
      const market = await markets.of(symbol)
      ourIds.set(market.symbol, symbol)
      return market.symbol
    },
    /** Our symbol of the exchange's name. */
    ourSymbol: (name: string): string => ourIds.get(name) ?? name.split(':')[0]!.replace('/', ''),
    /** The parameters that sign an order as of `decidedMs`: held up anywhere on the way, the venue itself refuses it. */
    signedAt: (decidedMs: number): object => signedAt(Math.round(decidedMs + (clock.reading()?.skewMs ?? 0))),
  }
}
export type AccountConnection = ReturnType<typeof openAccountConnection>
