import { expect, it } from 'vitest'
import { valuesOf } from './values-text.ts'

it.each([
  ['5, 10,20', [5, 10, 20]],
  ['5..20 step 5', [5, 10, 15, 20]],
  ['0.1..0.3 step 0.1', [0.1, 0.2, 0.3]],
  ['2–4, 3, 9', [2, 3, 4, 9]],
  ['-2', [-2]],
  ['', null],
  ['five', null],
  ['1..1000', null],
  ['9..1', null],
  ['1..9 step 0', null],
])('reads %s as %j', (text, values) => expect(valuesOf(text)).toEqual(values))
