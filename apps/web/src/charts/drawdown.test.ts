import { expect, it } from 'vitest'
import { drawdownsOf } from './drawdown.ts'

it('falls 10 % from 110 to 99, and is 0 at a new peak', () => {
  const points = [100, 110, 99, 121].map((equity, t) => ({ t, equity }))
  expect(drawdownsOf(points).map(({ pct }) => pct)).toEqual([0, 0, -10, 0])
})
