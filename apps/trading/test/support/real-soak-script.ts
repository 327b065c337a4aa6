import type { CandleRow } from '@shapecast/contracts/market'
import type { Signal } from '@shapecast/contracts/ml'
import { createRandom } from '@shapecast/engine/random'
import type { Database } from '@shapecast/platform/database/database'
import type { Said } from '../../src/deciders/decider.ts'

export const MINUTE_MS = 60_000
export type Venue = 'binance' | 'bybit'

/** What a process of the soak is told. */
export interface SoakProcess {
  readonly url: string
  readonly urls: object
  readonly venue: Venue
  readonly seed: number
  readonly startMs: number
}

/** Shared by the rounds of processes, and alone with what moves the clock. */
export const SOAK_LOCK = 7_365_616_201

export interface SoakClock {
  /** Minutes that have closed. */
  readonly closes: number
  readonly aheadMs: number
  readonly price: number
}

export async function readSoakClock(pool: Database['pool']): Promise<SoakClock> {
  const { rows } = await pool.query<{ closes: number; ahead: string; price: number }>(
    'select closes, ahead, price from real_soak_clock',
  )
  const { closes, ahead, price } = rows[0]!
  return { closes, aheadMs: Number(ahead), price }
}

/** What a model says at a close. */
export const saying = ({ signal, edgeBps }: { signal: Signal; edgeBps: number }, version: string): Said => ({
  forecast: {
    version,
    signal,
    confidence: 0.6,
    pUp: 0.6,
    edgeBps,
    costBps: 22,
    volatility: 0.5,
    reasoning: null,
  },
  prediction: null,
})

/** The market and the models of a soak, the same in each of its processes. */
export function soakScript(seed: number) {
  const random = createRandom(seed)
  const prices: number[] = []
  /** Of the i-th minute, which stands at it from its open to its close. */
  const priceOf = (i: number): number => {
    while (prices.length <= i) {
      const before = prices.at(-1) ?? 20_000
      prices.push(Math.round(Math.min(40_000, Math.max(10_000, before * (1 + 0.03 * (random.next() - 0.5))))))
    }
    return prices[i]!
  }
  return {
    priceOf,
    candles: (startMs: number, closes: number): CandleRow[] =>
      Array.from({ length: closes }, (_, i) => {
        const price = priceOf(i)
        return [startMs + i * MINUTE_MS, price, price, price, price, 1]
      }),
    /** Every version has a mind of its own. */
    said(version: string, ts: number) {
      const { below } = createRandom(seed + ts / MINUTE_MS + 1e6 * version.charCodeAt(1))
      return saying({ signal: (['BUY', 'BUY', 'SELL', 'HOLD'] as const)[below(4)]!, edgeBps: 50 }, version)
    },
  }
}

/** What a transaction that has written to these tables does; null for one of which nothing is asked. */
export function transactionOf(written: ReadonlySet<string>): string | null {
  if (written.has('bot_decisions')) return 'decision'
  if (written.has('fills')) return 'fill'
  if (written.has('bot_states')) return 'what became of an order'
  return written.has('orders') || written.has('order_events') ? 'order' : null
}
