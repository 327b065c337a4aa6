import { expect, it } from 'vitest'
import { shareWords, skillWords } from '#entities/models/interval-words.ts'

it('a skill stands with both ends of its interval', () => {
  expect(skillWords(0.0108, [-0.009, 0.031])).toBe('+1.08% (−0.9 to +3.1)')
  expect(skillWords(null, null)).toBe('—')
})
it('a share stands with its interval, and alone where it has none', () => {
  expect(shareWords(0.566, [0.506, 0.626])).toBe('56.6% (50.6–62.6)')
  expect(shareWords(0.566, null)).toBe('56.6%')
  expect(shareWords(null, null)).toBe('—')
})
