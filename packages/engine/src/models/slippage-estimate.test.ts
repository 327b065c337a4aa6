import { describe, expect, it } from 'vitest'
import { candlesFromRows } from '../candles.ts'
import { createRandom } from '../random.ts'
import { estimateSlippage, loadBefore, type SlippedFill } from './slippage-estimate.ts'

const random = createRandom(8)
const BASE_BPS = 2
const IMPACT = 0.8
/** Orders of 0.1 to 10 % of the volume in markets of 20 to 100 bps; a hard order slips less evenly. */
function planted(fills: number): SlippedFill[] {
  return Array.from({ length: fills }, () => {
    const volatilityBps = 20 + 80 * random.next()
    const volumeRatio = 0.001 * 100 ** random.next()
    const load = volatilityBps * Math.sqrt(volumeRatio)
    return { volatilityBps, volumeRatio, slippageBps: BASE_BPS + IMPACT * load + (2 + 0.2 * load) * random.normal() }
  })
}
/** A load of 50 · √0.01 = 5: 2 + 0.8 · 5 = 6 bps. */
const ORDER = { volatilityBps: 50, volumeRatio: 0.01 }

describe('how hard an order is', () => {
  const hours = (volumes: readonly number[], gapAt = -1) =>
    candlesFromRows(
      volumes.map((volume, i) => {
        const close = i % 2 === 0 ? 100 : 101
        return [(i + (gapAt >= 0 && i >= gapAt ? 1 : 0)) * 3_600_000, close, close, close, close, volume]
      }),
    )

  it('is 1 of the 240 traded in the day before, by the deviation of its hours times √24', () => {
    const load = loadBefore(hours(Array(25).fill(10)), 25, 1)!
    expect(load.volumeRatio).toBeCloseTo(1 / 240, 12)
    // Twelve returns of 1/100 and twelve of −1/101: (0.01 + 1/101) / 2 from their mean, with 23 below.
    const deviation = ((0.01 + 1 / 101) / 2) * Math.sqrt(24 / 23)
    expect(load.volatilityBps).toBeCloseTo(10_000 * deviation * Math.sqrt(24), 9)
  })

  it('is not known with an hour missing, with fewer than a day, or where nothing was traded', () => {
    expect(loadBefore(hours(Array(25).fill(10), 9), 25, 1)).toBeNull()
    expect(loadBefore(hours(Array(24).fill(10)), 24, 1)).toBeNull()
    expect(loadBefore(hours(Array(25).fill(0)), 25, 1)).toBeNull()
  })
})

describe('slippage from own fills', () => {
  it('is the line through fills without noise: loads of 1 and 3 that cost 2 and 4 bps cost 5 at 4', () => {
    const fills = Array.from({ length: 30 }, (_, k) => {
      const load = k % 2 === 0 ? 1 : 3
      return { volatilityBps: 10 * load, volumeRatio: 0.01, slippageBps: load + 1 }
    })
    const found = estimateSlippage(fills, { volatilityBps: 40, volumeRatio: 0.01 })!
    expect(found.expectedBps).toBeCloseTo(5, 9)
    expect(found.intervalBps[1] - found.intervalBps[0]).toBeCloseTo(0, 9)
    expect([found.fills, found.isBeyondSeen]).toEqual([30, true])
  })

  it('is the mean of fills that were all as hard, ± 1.96 · 1 · √30 / 29', () => {
    const fills = Array.from({ length: 30 }, (_, k) => ({ ...ORDER, slippageBps: k % 2 === 0 ? 4 : 6 }))
    const { expectedBps, intervalBps, isBeyondSeen } = estimateSlippage(fills, ORDER)!
    expect([expectedBps, isBeyondSeen]).toEqual([5, false])
    expect(intervalBps[1] - 5).toBeCloseTo((1.96 * Math.sqrt(30)) / 29, 12)
  })

  it('is none of 29 fills', () => {
    expect(estimateSlippage(planted(29), ORDER)).toBeNull()
    expect(estimateSlippage(planted(30), ORDER)).not.toBeNull()
  })

  it('finds what was planted within 1 bp after 200 fills, in 99 of 100 cases', () => {
    const near = Array.from({ length: 300 }, () => estimateSlippage(planted(200), ORDER)!).filter(
      ({ expectedBps }) => Math.abs(expectedBps - 6) < 1,
    )
    expect(near.length).toBeGreaterThanOrEqual(297)
  })

  it.each([30, 200])('holds what was planted in 93 to 97 %% of 2,000 intervals of %d fills', (fills) => {
    const held = Array.from({ length: 2000 }, () => estimateSlippage(planted(fills), ORDER)!.intervalBps).filter(
      ([low, high]) => low <= 6 && high >= 6,
    )
    expect(held.length / 2000).toBeGreaterThan(0.93)
    expect(held.length / 2000).toBeLessThan(0.97)
  })
})
