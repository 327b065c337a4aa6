import { expect, it } from 'vitest'
import { isLevelNear } from './level-line-primitive.ts'

it('a level as far away as the values are wide is kept in view, a farther one is not', () => {
  expect(isLevelNear(1000, { min: 1100, max: 1200 })).toBe(true)
  expect(isLevelNear(999, { min: 1100, max: 1200 })).toBe(false)
  expect(isLevelNear(1301, { min: 1100, max: 1200 })).toBe(false)
})

it('a flat curve at its level keeps it', () => {
  expect(isLevelNear(1000, { min: 1000, max: 1000 })).toBe(true)
})
