import { describe, expect, it } from 'vitest'
import { planEpoch } from './train-network.ts'

const ROWS = Int32Array.from({ length: 1000 }, (_, i) => 5 + i)

describe('the plan of an epoch', () => {
  it('has each row once, in an order of its own that seed and epoch decide', () => {
    const order = (seed: number, epoch: number) => Array.from(planEpoch(ROWS, seed, epoch, 0).rows)
    expect(order(3, 1).toSorted((a, b) => a - b)).toEqual(Array.from(ROWS))
    expect(order(3, 1)).toEqual(order(3, 1))
    const others = [order(3, 2), order(4, 1), Array.from(ROWS)]
    for (const other of others) expect(order(3, 1).filter((row, i) => row === other[i]).length).toBeLessThan(20)
    // Nothing stays near where it was: the mean distance of two rows drawn by lot is a third of 1,000.
    const distance = order(3, 1).reduce((sum, row, i) => sum + Math.abs(row - 5 - i), 0) / 1000
    expect(distance).toBeGreaterThan(300)
    expect(distance).toBeLessThan(370)
  })

  it('drops one unit in four at 0.25, and makes the others 4/3 as large, so that the sum stays', () => {
    const masks = new Float32Array(40_001).fill(9)
    planEpoch(ROWS, 3, 1, 0.25).fillMasks(masks)
    const kept = Math.fround(4 / 3)
    expect(masks.every((value) => value === 0 || value === kept)).toBe(true)
    // Standard error of the share: √(0.25 · 0.75 / 40,001) = 0.0022.
    expect(masks.filter((value) => value === 0).length / masks.length).toBeCloseTo(0.25, 2)
    for (let unit = 0; unit < 4; unit++) {
      const own = masks.filter((_, i) => i % 4 === unit)
      expect(Math.abs(own.filter((value) => value === 0).length / own.length - 0.25)).toBeLessThan(0.02)
    }
  })
})
