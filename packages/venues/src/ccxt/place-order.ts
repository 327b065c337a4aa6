import { AppError } from '@shapecast/contracts/errors'
import type { LiveTrading, OrderRequest, VenueOrder } from '../live-trading.ts'
import { sleep } from './backoff.ts'

export interface PlaceOrderSettings {
  /** Waits between looks, ms; the last look decides. Together longer than a venue takes an order after it was sent. */
  readonly looksMs?: readonly number[]
  readonly signal?: AbortSignal
}

/** Binance refuses what arrives later than ten seconds after it was signed (ccxt's `recvWindow`). */
const LOOKS_MS = [250, 500, 1000, 2000, 4000, 8000]

/**
 * Places an order so that it exists at most once. One that is there already under its client order id is returned, so a
 * caller that was interrupted may simply call again. Where the answer is lost, the venue is asked for the order until it
 * cannot arrive any more. Throws what `createOrder` throws: `order_ambiguous` where even that does not tell (call again
 * later), `venue_unreachable` where the order surely was not taken.
 */
export async function placeOrder(
  trading: Pick<LiveTrading, 'createOrder' | 'findOrder' | 'name'>,
  request: OrderRequest,
  settings: PlaceOrderSettings = {},
): Promise<VenueOrder> {
  const { looksMs = LOOKS_MS, signal } = settings
  // A venue may take the same client order id again once the first order is filled.
  const before = await trading.findOrder(request.symbol, request.clientOrderId)
  if (before !== null) return before
  try {
    return await trading.createOrder(request)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'order_ambiguous') throw error
    return await lookFor(trading, request, looksMs, signal, error)
  }
}

async function lookFor(
  trading: Pick<LiveTrading, 'findOrder' | 'name'>,
  { symbol, clientOrderId }: OrderRequest,
  looksMs: readonly number[],
  signal: AbortSignal | undefined,
  doubt: AppError,
): Promise<VenueOrder> {
  let answered = false
  for (const ms of looksMs) {
    await sleep(ms, signal)
    answered = false
    try {
      const found = await trading.findOrder(symbol, clientOrderId)
      if (found !== null) return found
      answered = true
    } catch (error) {
      if (!(error instanceof AppError) || !PASSING.has(error.code)) throw doubt
    }
  }
  if (!answered) throw doubt
  throw new AppError('venue_unreachable', `${trading.name} did not take the order. Nothing was done; try again.`, {
    cause: doubt,
  })
}

const PASSING: ReadonlySet<string> = new Set(['venue_unreachable', 'venue_rate_limited'])
