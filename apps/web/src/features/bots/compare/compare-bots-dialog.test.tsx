import { expect, it } from 'vitest'
import { comparedCurves } from './compare-bots-dialog.tsx'

const DAY = 86_400_000
const curve = (...equity: number[]) => equity.map((value, i) => ({ t: i * DAY, equity: value }))

it('counts every curve from the close at which the last of them had begun', () => {
  const early = { points: curve(100, 150, 120, 180), hold: curve(100, 100, 110, 99) }
  const late = { points: curve(0, 0, 1000, 1100).slice(2), hold: [] }
  const { startMs, curves } = comparedCurves([early, late])
  expect(startMs).toBe(2 * DAY)
  // 180 of 120, and 99 of 110.
  expect(curves[0]).toMatchObject({ returnPct: 50, fromMs: 0, toMs: 3 * DAY })
  expect(curves[0]!.holdPct).toBeCloseTo(-10, 9)
  expect(curves[1]).toMatchObject({ holdPct: null, fromMs: 2 * DAY })
  expect(curves[1]!.returnPct).toBeCloseTo(10, 9)
  expect(curves.map((one) => one?.line[0])).toEqual([
    { t: 2 * DAY, pct: 0 },
    { t: 2 * DAY, pct: 0 },
  ])
})

it('takes the fall from a peak since then, and what a curve was between two of its points', () => {
  const { curves } = comparedCurves([
    { points: curve(500, 100, 80, 120, 90), hold: [] },
    { points: curve(7), hold: [] },
    {
      points: [
        { t: 1.5 * DAY, equity: 10 },
        { t: 4 * DAY, equity: 10 },
      ],
      hold: [],
    },
  ])
  // From 100 to 80 are 20 %, from 120 to 90 are 25 %; the 500 were before.
  expect(curves[0]!.maxDrawdownPct).toBeCloseTo(25, 9)
  expect(curves[0]!.returnPct).toBeCloseTo(-10, 9)
  expect(curves[1]).toBeNull()
})
