import { describe, expect, it } from 'vitest'
import {
  digitsOfStep,
  formatMoneyUnit,
  formatPnl,
  formatPnlUnit,
  formatPrice,
  formatQuantity,
  formatQuantityAsset,
  guessTickSize,
} from './money.ts'

describe('prices, money and quantities', () => {
  it.each([
    [1, 0],
    [10, 0],
    [0.5, 1],
    [0.1, 1],
    [0.05, 2],
    [0.01, 2],
    [0.001, 3],
    [0.00001, 5],
    [1e-8, 8],
  ])('step %d needs %d decimals', (step, digits) => expect(digitsOfStep(step)).toBe(digits))

  it('writes a price by its tick size', () => {
    expect(formatPrice(67412.25, 0.1)).toBe('67,412.3')
    expect(formatPrice(0.00001234, 1e-8)).toBe('0.00001234')
  })

  it('guesses six significant digits where the tick size is not known', () => {
    expect(formatPrice(67412.3)).toBe('67,412.3')
    expect(formatPrice(3284.11)).toBe('3,284.11')
    expect(formatPrice(0.5123)).toBe('0.512300')
    expect(guessTickSize(1_234_567)).toBe(1)
  })

  it('names the unit of money once', () => {
    expect(formatMoneyUnit(1095.274, 'USDT')).toBe('1,095.27 USDT')
    expect(formatPnlUnit(1.61, 'USDT')).toBe('+1.61 USDT')
    expect(formatPnl(-10.26)).toBe('−10.26')
    expect(formatMoneyUnit(null, 'USDT')).toBe('—')
  })

  it('writes a quantity by its lot step with its asset', () => {
    expect(formatQuantityAsset(0.015, 'BTC', 0.001)).toBe('0.015 BTC')
    expect(formatQuantity(0.4, 0.01)).toBe('0.40')
    expect(formatQuantity(0.015)).toBe('0.015')
    expect(formatQuantityAsset(undefined, 'BTC')).toBe('—')
  })
})
