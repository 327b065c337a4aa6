import { expect, it } from 'vitest'
import { UNKNOWN } from '#kit/format/number.ts'
import { spanWords } from './span-words.ts'

it('says how many candles of the span were sealed', () => {
  expect(spanWords({ candles: 350, missed: 8 })).toBe('342 of 350 candles')
  expect(spanWords({ candles: 12_000, missed: 0 })).toBe('12,000 of 12,000 candles')
  expect(spanWords(null)).toBe(UNKNOWN)
})
