import { describe, expect, it } from 'vitest'
import { numberFieldText, parseNumberText } from './number-field.tsx'

describe('the text of a number field', () => {
  it.each([
    ['0.015', 0.015],
    [' 12 ', 12],
    ['0.', 0],
    ['-3', -3],
    ['', null],
    ['  ', null],
    ['1e3', 1000],
    ['.5', 0.5],
    ['−3', -3],
    ['1,000.50', 1000.5],
    ['1 000', 1000],
    ['1\u00a0000,5', 1000.5],
    ['1.000,50', 1000.5],
    ['1,000,000', 1_000_000],
    ['1,095,000.27', 1_095_000.27],
    ['0,5', 0.5],
    ['0,125', 0.125],
    ['12,5', 12.5],
    ['abc', Number.NaN],
    ['12abc', Number.NaN],
    ['0x10', Number.NaN],
    ['1_000', Number.NaN],
    ['1e999', Number.NaN],
    ['1,00,0', Number.NaN],
    ['1 00', Number.NaN],
    ['1.2.3', Number.NaN],
    ['Infinity', Number.NaN],
  ])('reads %j as %j', (text, value) => expect(parseNumberText(text)).toBe(value))

  it('does not guess which of two numbers a comma makes', () => expect(parseNumberText('1,125')).toBeNaN())

  it.each([
    [0.015, '0.015'],
    [1000, '1000'],
    [1e-7, '0.0000001'],
    [null, ''],
    [Number.NaN, ''],
  ])('writes %j as %j', (value, text) => expect(numberFieldText(value)).toBe(text))
})
