import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDecimal, whyNotANumber } from './decimal.ts'

const parse = (text: string): number => {
  const bytes = Buffer.from(`x,${text},y`)
  return parseDecimal(bytes, 2, bytes.length - 2)
}

describe('a decimal number out of bytes', () => {
  it('is rounded as JavaScript rounds it, whatever its digits', () => {
    const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength })
    const decimal = fc
      .tuple(fc.constantFrom('', '-'), digits(20), fc.option(digits(25), { nil: undefined }))
      .map(([sign, whole, fraction]) => sign + whole + (fraction === undefined ? '' : `.${fraction}`))
    fc.assert(
      fc.property(decimal, (text) => {
        expect(parse(text)).toBe(Number(text) === 0 ? 0 : Number(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('is what a program wrote, for every number', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e20, noNaN: true }), (value) => {
        expect(parse(String(value))).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    '',
    '-',
    '.',
    'abc',
    '1.2.3',
    '1e5',
    '1.63875E+12',
    '0x10',
    '1_000',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '--1',
    '1-',
  ])('is none in %j', (text) => {
    expect(parse(text)).toBeNaN()
  })

  it.each([
    ['', 'is empty'],
    ['NULL', 'is NULL'],
    ['nan', 'is NaN'],
    ['-Infinity', 'is Infinity'],
    ['1,63875E+12', 'was rounded by a spreadsheet (1,63875E+12); take the original file'],
    ['hello', 'is not a number (hello)'],
  ])('in %j is missed with the words: %s', (text, words) => {
    expect(whyNotANumber(text)).toBe(words)
  })
})
