import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Base, base, bps, epochMs, pct, quote, type Ratio, ratio, ratioOfBps, ratioOfPct } from './units.ts'

const Costs = z.object({ limit: pct().min(0).max(100), fee: ratio(), slippage: bps().nullable() })
const costs = Costs.parse({ limit: 5, fee: 0.001, slippage: 5 })
const shareOf = (total: number, share: Ratio): number => total * share

it('5 percent of 200 are 10, and 5 basis points 0.1', () => {
  expect(shareOf(200, ratioOfPct(costs.limit))).toBe(10)
  expect(shareOf(200, ratioOfBps(costs.slippage!))).toBe(0.1)
  expect(shareOf(200, costs.fee)).toBe(0.2)
})

it('percent and basis points do not pass for a ratio', () => {
  // @ts-expect-error percent
  shareOf(200, costs.limit)
  // @ts-expect-error basis points
  shareOf(200, costs.slippage!)
  expect(Costs.safeParse({ limit: 101, fee: 0, slippage: null }).success).toBe(false)
})

it('money and moments do not pass for a quantity', () => {
  const Order = z.object({ amount: base(), notional: quote(), at: epochMs() })
  const order = Order.parse({ amount: 2, notional: 200, at: 1_700_000_000_000 })
  const half = (quantity: Base): number => quantity / 2
  expect(half(order.amount)).toBe(1)
  // @ts-expect-error quote
  half(order.notional)
  // @ts-expect-error a moment
  half(order.at)
})
