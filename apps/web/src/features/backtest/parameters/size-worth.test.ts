import { expect, it } from 'vitest'
import { sizeWorth } from './size-worth.ts'

it('0.015 BTC at 65,000 on 100 USDT is 975 USDT, 9.75 times the balance: 5.13 % against it lose half of it', () => {
  const found = sizeWorth({ positionSize: 0.015, initialBalance: 100, maxDrawdownPct: 50 }, 65_000, 0.00001)
  expect(found?.worth).toBeCloseTo(975)
  expect(found?.ratio).toBeCloseTo(9.75)
  expect(found?.limitMovePct).toBeCloseTo(5.128, 3)
  expect(found?.onceSize).toBe(0.00153)
})

it('without a limit of the drawdown says what takes all: 10.26 %', () => {
  const found = sizeWorth({ positionSize: 0.015, initialBalance: 100, maxDrawdownPct: 0 }, 65_000, 0.00001)
  expect(found?.limitMovePct).toBeCloseTo(10.256, 3)
})

it('is not known without a price or a figure, or for one that is refused', () => {
  expect(sizeWorth({ positionSize: 1e12, initialBalance: 100, maxDrawdownPct: 50 }, 65_000, 0.1)).toBeNull()
  expect(sizeWorth({ positionSize: 0.015, initialBalance: 100, maxDrawdownPct: 50 }, undefined, 0.1)).toBeNull()
  expect(sizeWorth({ positionSize: null, initialBalance: 100, maxDrawdownPct: 50 }, 65_000, 0.1)).toBeNull()
})
