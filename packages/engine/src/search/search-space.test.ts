import { combinationsOf, markedIn } from '@shapecast/contracts/search'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlannedBot } from '../policies/plan.ts'
import { choicesAt, pointsOf, type SearchedParameter } from './search-space.ts'
import { botAt, slowestFirst } from './searched-bot.ts'
import { whatMoved } from './what-moved.ts'

const parameter = (name: string, ...values: number[]): SearchedParameter => ({ name, values })
const grid = [parameter('fast', 4, 8), parameter('slow', 50, 60, 70), parameter('stop', 1, 2)]

describe('the points of a search', () => {
  it('are each combination once, the last parameter changing first', () => {
    expect(combinationsOf(grid)).toBe(12)
    const points = pointsOf({ parameters: grid, sample: null })
    expect(Array.from(points.subarray(0, 3), (place) => choicesAt(grid, place))).toEqual([
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ])
    expect(choicesAt(grid, 11)).toEqual([1, 2, 1])
  })

  it('of a sample are so many different ones, the same for the same seed', () =>
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 60 }), (seed, points) => {
        const wide = [parameter('a', ...Array(100).keys()), parameter('b', ...Array(100).keys())]
        const drawn = pointsOf({ parameters: wide, sample: { points, seed } })
        expect(new Set(drawn).size).toBe(points)
        expect(Math.max(...drawn)).toBeLessThan(10_000)
        expect(drawn).toEqual(pointsOf({ parameters: wide, sample: { points, seed } }))
      }),
    ))

  it('of a sample as large as the grid are the grid', () => {
    expect(pointsOf({ parameters: grid, sample: { points: 12, seed: 1 } })).toHaveLength(12)
    expect(pointsOf({ parameters: grid, sample: { points: 900, seed: 1 } })).toHaveLength(12)
  })
})

describe('the bot of a point', () => {
  const rule = 'enter: ema({fast}) crosses above ema({slow}) exit: close < ema({fast}) stop: {stop}%'
  const bot = { stopLossPct: 0, riskLevel: 'low', parameters: { policy: 'rule', rule } } as unknown as PlannedBot

  it('has the numbers that its rule marks, and the settings that are no marks', () => {
    const at = botAt(bot, { fast: 4, slow: 50, stop: 2.5, takeProfitPct: 8, sizePct: 50, riskPct: 60 })
    expect(at.parameters).toMatchObject({
      rule: 'enter: ema(4) crosses above ema(50) exit: close < ema(4) stop: 2.5%',
      sizing: { kind: 'percent_of_equity', pct: 50 },
    })
    expect(at).toMatchObject({ takeProfitPct: 8, stopLossPct: 0, riskLevel: 'high' })
  })

  it('has each mark once, and those of its conditions change slowest', () => {
    expect(markedIn(rule)).toEqual(['fast', 'slow', 'stop'])
    const order = slowestFirst(rule, [parameter('stop', 1), parameter('takeProfitPct', 1), ...grid.slice(0, 2)])
    expect(order.map(({ name }) => name)).toEqual(['fast', 'slow', 'stop', 'takeProfitPct'])
  })
})

describe('what moved the result', () => {
  it('is the parameter between whose values the means differ: 80 % and 20 % of the spread', () => {
    const two = [parameter('a', 1, 2), parameter('b', 5, 6)]
    // Means by a: 0.5 and 4.5; by b: 1.5 and 3.5.
    const moved = whatMoved(two, Float64Array.of(0, 1, 2, 3), Float64Array.of(-0.5, 1.5, 3.5, 5.5), false)
    expect(moved.map(({ share }) => share)).toEqual([0.8, 0.2])
    expect(moved[0]).toMatchObject({ name: 'a', best: 2, worst: 1 })
  })

  it('is nothing where all results are the same, and leaves out points without one', () => {
    const one = [parameter('a', 1, 2)]
    expect(whatMoved(one, Float64Array.of(0, 1), Float64Array.of(3, 3), false)[0]!.share).toBe(0)
    expect(whatMoved(one, Float64Array.of(0, 1), Float64Array.of(3, Number.NaN), false)[0]).toMatchObject({ best: 1 })
  })
})
