import { expect, it } from 'vitest'
import { closingCost, orderEstimate, resultAt, sizeBody } from './order-estimate.ts'

const AT = { price: 68_312.1, lotSize: 0.00001, free: 1292.13, held: 0.025, isVirtual: true }
const buy = { side: 'buy', type: 'market', unit: 'base', size: 0.015 } as const

it('says what a purchase of 0.015 at 68,312.10 costs, and what is free at most enough for', () => {
  const found = orderEstimate(buy, AT)!
  expect(found.worth).toBeCloseTo(1024.6815, 8)
  // 5 bps of it, and 6 bps of 0.015 × 68,346.26.
  expect(found.slippage).toBeCloseTo(0.51234075, 8)
  expect(found.fee).toBeCloseTo(0.6151163, 7)
  expect(found.total).toBeCloseTo(1025.80895705, 7)
  expect(found.mostAmount).toBe(0.01889)
})

it('says what it loses at its stop and earns at its target, both fees and slippage taken off', () => {
  const found = orderEstimate(buy, AT)!
  expect(resultAt(found, 66_262.74, 'stop')).toBeCloseTo(-32.96, 2)
  expect(resultAt(found, 72_410.83, 'target')).toBeCloseTo(59.7, 2)
})

it('takes money and a share of what is free for as much as they buy, and a share of what is held for a sale', () => {
  expect(orderEstimate({ ...buy, unit: 'quote', size: 1025.81 }, AT)!.amount).toBe(0.015)
  expect(orderEstimate({ ...buy, type: 'limit', unit: 'pct', size: 10 }, { ...AT, price: 65_000 })!.amount).toBe(
    0.00198,
  )
  expect(orderEstimate({ side: 'sell', type: 'market', unit: 'pct', size: 50 }, AT)!.amount).toBe(0.0125)
  expect(sizeBody({ ...buy, unit: 'pct', size: 10 }, AT).quoteAmount).toBeCloseTo(129.213, 9)
  expect(sizeBody({ side: 'sell', type: 'market', unit: 'pct', size: 50 }, AT)).toEqual({ amount: 0.0125 })
})

it('says what closing 1,197.51 of a long costs: 5 bps of it, and 6 bps of what that leaves; of a short, 6 bps of what it takes', () => {
  expect(closingCost([{ side: 'long', worth: 1197.51 }])).toBeCloseTo(0.598755 + 0.7181467, 6)
  expect(closingCost([{ side: 'short', worth: 1000 }])).toBeCloseTo(0.5 + 0.6003, 9)
  expect(closingCost([{ side: 'long', worth: 1000 }], { feeRate: 0.004, slippageBps: 0 })).toBe(4)
  expect(closingCost([])).toBe(0)
})

it('knows nothing of what an exchange takes, and nothing without a size', () => {
  expect(orderEstimate(buy, { ...AT, isVirtual: false })).toMatchObject({ fee: 0, slippage: 0 })
  for (const size of [null, 0, Number.NaN]) expect(orderEstimate({ ...buy, size }, AT)).toBeNull()
})
