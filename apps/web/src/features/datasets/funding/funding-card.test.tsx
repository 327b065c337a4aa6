import { expect, it } from 'vitest'
import { knownWords } from './funding-card.tsx'

const day = (of: number) => Date.UTC(2024, 0, of)

it('says which stretches of funding are known, and what is assumed between them', () => {
  expect(knownWords({ rates: 9, known: [{ from: day(1), to: day(4) }] })).not.toContain('assumed')
  const words = knownWords({
    rates: 1200,
    known: [1, 5, 9, 13].map((from) => ({ from: day(from), to: day(from + 2) })),
  })
  expect(words).toMatch(/^1,200 rates: 1 earlier stretch, /)
  expect(words).toMatch(/in the gaps 0\.01% every 8 hours is assumed$/)
})
