import { describe, expect, it } from 'vitest'
import { numberFieldText, parseNumberText } from './number-text.ts'

describe('the text of a number field', () => {
  it.each([
    ['0.015', 0.015],
    [' 12 ', 12],
    ['0.', 0],
    ['-3', -3],
    ['', null],
    ['  ', null],
    ['abc', null],
    ['Infinity', null],
  ])('reads %j as %j', (text, value) => expect(parseNumberText(text)).toBe(value))

  it.each([
    [0.015, '0.015'],
    [1000, '1000'],
    [1e-7, '0.0000001'],
    [null, ''],
    [Number.NaN, ''],
  ])('writes %j as %j', (value, text) => expect(numberFieldText(value)).toBe(text))
})
