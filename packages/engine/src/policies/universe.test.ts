import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candlesFromRows } from '../candles.ts'
import { createUniverse, goneFrom, monthStart, mostTraded, targetsOfMostTraded } from './universe.ts'

const DAY = 86_400_000
const MARCH = Date.UTC(2024, 2, 1)
/** Daily candles from `from` on, at one price, with these volumes. */
const coin = (symbol: string, from: number, volumes: readonly number[], price = 10) => ({
  symbol,
  candles: candlesFromRows(volumes.map((volume, k) => [from + k * DAY, price, price, price, price, volume])),
})
const days = (count: number, volume: number) => Array.from({ length: count }, () => volume)

describe('the most traded coins of a month', () => {
  it('are those of most value in the 30 days before it, whatever came earlier or later', () => {
    const from = MARCH - 60 * DAY
    const early = coin('EARLY', from, [...days(30, 1000), ...days(30, 1), ...days(10, 1000)])
    const dear = coin('DEAR', from, days(70, 2), 100)
    const many = coin('MANY', from, days(70, 15))
    expect(mostTraded([early, many, dear], 2, MARCH)).toEqual(['DEAR', 'MANY'])
  })

  it('leave out a coin without a candle on the last day, and count a young one by the days that it has', () => {
    const from = MARCH - 30 * DAY
    const dead = coin('DEAD', from, days(29, 1000))
    const young = coin('YOUNG', MARCH - 2 * DAY, days(10, 40))
    const old = coin('OLD', from, days(40, 2))
    expect(mostTraded([dead, old, young], 3, MARCH)).toEqual(['YOUNG', 'OLD'])
    expect(mostTraded([coin('NONE', MARCH, days(9, 5))], 3, MARCH)).toEqual([])
  })

  it('are the first by name where several are traded alike', () => {
    const from = MARCH - 30 * DAY
    expect(mostTraded([coin('B', from, days(40, 1)), coin('A', from, days(40, 1))], 1, MARCH)).toEqual(['A'])
  })

  it('change with the close of midnight, and stay until the next month', () => {
    const from = Date.UTC(2024, 0, 1)
    const first = coin('A', from, [...days(31, 9), ...days(60, 1)])
    const second = coin('B', from, days(91, 5))
    const universe = createUniverse([first, second], 1)
    const heldAt = (ms: number) => ['A', 'B'].filter((symbol) => universe(symbol, ms)).join()
    expect(heldAt(Date.UTC(2024, 1, 1) - 1)).toBe('')
    expect(heldAt(Date.UTC(2024, 1, 1))).toBe('A')
    expect(heldAt(MARCH - 1)).toBe('A')
    expect(heldAt(MARCH)).toBe('B')
  })

  it('are never chosen by what comes after the month began, and never more than are asked for', () => {
    const volumes = fc.array(fc.nat({ max: 5 }), { minLength: 30, maxLength: 120 })
    fc.assert(
      fc.property(fc.array(volumes, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 5 }), (all, count) => {
        const from = MARCH - 60 * DAY
        const whole = all.map((of, k) => coin(`C${k}`, from, of))
        const known = whole.map(({ symbol, candles }) => coin(symbol, from, [...candles.volume].slice(0, 60)))
        const held = mostTraded(whole, count, MARCH)
        expect(held).toEqual(mostTraded(known, count, MARCH))
        expect(held.length).toBeLessThanOrEqual(count)
        const traded = (symbol: string) =>
          [...whole.find((each) => each.symbol === symbol)!.candles.volume].slice(30, 60).reduce((a, b) => a + b, 0)
        const least = Math.min(...held.map(traded))
        for (const { symbol, candles } of whole)
          if (!held.includes(symbol) && candles.length >= 60 && held.length === count)
            expect(traded(symbol)).toBeLessThanOrEqual(least)
      }),
    )
  })
})

it('makes the targets of what is not held 0, and leaves a day without a target as it is', () => {
  const from = MARCH - 30 * DAY
  const [small, large] = [coin('S', from, days(32, 1)), coin('L', from, days(32, 2))]
  const decisions = Float64Array.from({ length: 32 }, (_, k) => (k % 2 === 0 ? Number.NaN : 0.4))
  const {
    targets: [of, others],
  } = targetsOfMostTraded(
    [small, large].map((each) => ({ ...each, decisions })),
    1,
    DAY,
  )
  expect([...of!].slice(28)).toEqual([Number.NaN, 0, Number.NaN, 0])
  expect([...others!].slice(28)).toEqual([Number.NaN, 0.4, Number.NaN, 0.4])
  expect(monthStart(MARCH + 5 * DAY)).toBe(MARCH)
})

it('a coin that has left the most traded is gone a day after its last candle, at midnight alone, and one that is still held is not', () => {
  const until = (days: number, quote: number) =>
    candlesFromRows(Array.from({ length: days }, (_, day) => [Date.UTC(2024, 0, 1 + day), 1, 1, 1, 1, quote]))
  const coins = [
    { symbol: 'A', candles: until(80, 1) },
    // Its last day is the 10th of February, for which it was chosen.
    { symbol: 'B', candles: until(41, 9) },
  ]
  const goneAt = goneFrom(coins, createUniverse(coins, 1), DAY)
  expect(goneAt(Date.UTC(2024, 1, 20))).toEqual([false, false])
  expect(goneAt(Date.UTC(2024, 2, 1))).toEqual([false, true])
  expect(goneAt(Date.UTC(2024, 2, 1, 1))).toBeNull()
})
