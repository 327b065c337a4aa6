import { expect, it } from 'vitest'
import { factorInterval, returnInterval, sharpeInterval } from './uncertainty-words.ts'

const found = {
  totalReturnPct: [-64.21, 150] as [number, number],
  profitFactor: [0.6, null] as [number, null],
  sharpeLike: [-11, 8.44] as [number, number],
  tooFewToTell: true,
}

it('writes intervals with signs, and a dash where none is known', () => {
  expect(returnInterval(found)).toBe('−64.2 to +150.0%')
  expect(sharpeInterval(found)).toBe('95% interval −11.0 to +8.4')
  expect(factorInterval(found)).toBe('above 0.60')
  expect(returnInterval({ ...found, totalReturnPct: [0, 0] })).toBe('—')
  expect([returnInterval(undefined), sharpeInterval(undefined), factorInterval(undefined)]).toEqual(['—', null, null])
})
