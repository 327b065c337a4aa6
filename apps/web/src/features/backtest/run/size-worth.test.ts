import { expect, it } from 'vitest'
import { sizeWorth } from './parameters.ts'

const chosen = { positionSize: 0.015, initialBalance: 100, leverage: 30, maxDrawdownPct: 50 }

it('0.015 BTC at 65,000 on 100 USDT is 975 USDT, 9.75 times the balance: 5.13 % against it lose half of it', () => {
  const found = sizeWorth(chosen, 65_000, 0.00001)
  expect(found?.worth).toBeCloseTo(975)
  expect(found?.ratio).toBeCloseTo(9.75)
  expect(found?.limitMovePct).toBeCloseTo(5.128, 3)
  expect(found?.onceSize).toBe(0.00153)
  expect(found?.cutSize).toBeNull()
})

it('without a limit of the drawdown says what takes all: 10.26 %', () => {
  const found = sizeWorth({ ...chosen, maxDrawdownPct: 0 }, 65_000, 0.00001)
  expect(found?.limitMovePct).toBeCloseTo(10.256, 3)
})

it('is what 100 at 30 times carry where more is chosen: 3,000 USDT or 0.04615 BTC, and 1.67 % against it lose half', () => {
  const found = sizeWorth({ ...chosen, positionSize: 999_999 }, 65_000, 0.00001)
  expect([found?.worth, found?.ratio, found?.cutSize]).toEqual([3_000, 30, 0.04615])
  expect(found?.limitMovePct).toBeCloseTo(1.667, 3)
})

it('is not known without a price or a figure, or for one that is refused', () => {
  expect(sizeWorth({ ...chosen, positionSize: 1e12 }, 65_000, 0.1)).toBeNull()
  expect(sizeWorth(chosen, undefined, 0.1)).toBeNull()
  expect(sizeWorth({ ...chosen, positionSize: null }, 65_000, 0.1)).toBeNull()
})
