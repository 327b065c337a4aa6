import { expect, it } from 'vitest'
import { wrongAmount } from './limits-form.tsx'

it('takes a limit from 0 to a billion', () => {
  expect([0, 1e9].map(wrongAmount)).toEqual([undefined, undefined])
  for (const value of [-1, Number.NaN]) expect(wrongAmount(value)).toBe('A limit is a number, 0 or more')
  expect(wrongAmount(1e300)).toBe('A limit is at most 1,000,000,000')
})
