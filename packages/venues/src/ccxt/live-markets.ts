import { AppError } from '@shapecast/contracts/errors'
import type { Exchange } from 'ccxt'
import type { Venue } from '../venue.ts'
import { createCcxtVenue, type FaultOf } from './ccxt-venue.ts'
import type { ExchangeCalls } from './exchange-calls.ts'

// ccxt takes 60 MB and a third of a second to load: only where an exchange is the market.
const load = async () => (await import('ccxt')).default

async function exchangeOf(id: string, timeoutMs: number): Promise<Exchange> {
  const ccxt = await load()
  const Constructor = (ccxt as unknown as Record<string, (new (options: object) => Exchange) | undefined>)[id]
  if (!ccxt.exchanges.includes(id) || Constructor === undefined)
    throw new AppError(
      'bad_input',
      `MARKET: there is no exchange "${id}". Use auto, replay, simulated or one that ccxt knows, such as binance.`,
    )
  return new Constructor({
    enableRateLimit: true,
    timeout: timeoutMs,
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } },
  })
}

/** Whether an exchange's public interface answers within `timeoutMs`. */
export async function exchangeAnswers(id: string, timeoutMs: number): Promise<boolean> {
  const exchange = await exchangeOf(id, timeoutMs)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const answer = exchange.fetchTime().then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    await exchange.close().catch(() => {})
  }
}

/** A real exchange as a venue. Throws `bad_input` where there is none of that name. */
export async function openExchange(id: string, options: { now: () => number }): Promise<Venue> {
  const ccxt = await load()
  const exchange = await exchangeOf(id, 10_000)
  const faultOf: FaultOf = (error) => {
    if (error instanceof ccxt.BadSymbol) return 'unknown_symbol'
    return error instanceof ccxt.OperationFailed ? 'unreachable' : null
  }
  return createCcxtVenue({ exchange: exchange as unknown as ExchangeCalls, faultOf, now: options.now })
}
