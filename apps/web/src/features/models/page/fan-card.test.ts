import { expect, it } from 'vitest'
import { fanVerdict, SKILL } from './fan-card.tsx'

const FAN = [
  { horizon: 1, coverage90: 0.89 },
  { horizon: 8, coverage90: 0.845 },
]

it.each([
  ['kept_promise', [], 'as promised.'],
  ['too_narrow', [8], 'too narrow at 8 ahead.'],
  ['too_wide', [1], 'too wide at 1 ahead.'],
  ['mixed', [1, 8], 'not as promised at 1, 8 ahead.'],
] as const)('says of a fan that is %s where it is off', (code, offHorizons, words) =>
  expect(fanVerdict(FAN, { code, offHorizons: [...offHorizons] })).toBe(
    `The 90% range held 89.0% of what came one candle ahead and 84.5% 8 candles ahead: ${words}`,
  ),
)

it('names the one horizon alone, and says for none that it was not judged', () => {
  expect(fanVerdict(FAN.slice(0, 1), { code: 'kept_promise', offHorizons: [] })).toBe(
    'The 90% range held 89.0% of what came one candle ahead: as promised.',
  )
  expect(fanVerdict([], { code: 'not_judged', offHorizons: [] })).toBe('The range was not judged.')
})

it('says which simple ranges it is sharper than', () => {
  expect(SKILL.both).toBe('It is sharper than a rolling volatility and than a range that never changes.')
  expect(SKILL.neither).toBe('It is no better than either simple rule.')
})
