import { expect, it } from 'vitest'
import { movedBy } from './position.ts'

it('moves a price of 64,000 by 5 percent to 67,200 above and 60,800 below, exactly', () => {
  expect([movedBy(64_000, 1, 5), movedBy(64_000, -1, 5)]).toEqual([67_200, 60_800])
})

it('moves a price by 0 percent to where no price ever gets', () => {
  expect([movedBy(64_000, 1, 0), movedBy(64_000, -1, 0)]).toEqual([Number.MAX_VALUE, -Number.MAX_VALUE])
})
