import { expect, it } from 'vitest'
import { sentence } from './sentence.ts'

it('a verdict begins with a capital and ends with a full stop', () => {
  expect(sentence('no outcome is known yet')).toBe('No outcome is known yet.')
  expect(sentence('Better than chance.')).toBe('Better than chance.')
  expect(sentence(' ')).toBe('')
})
