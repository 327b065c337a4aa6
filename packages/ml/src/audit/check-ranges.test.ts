import { expect, it } from 'vitest'
import type { ModelCard } from '../card.ts'
import { checkRanges } from './audit-artifact.ts'

const HOUR = 3_600_000

it.each([
  [9, 8, true],
  // The outcome of the last row trained on ends where the first validated on stands.
  [8, 8, false],
  [9, 7, false],
])('ranges %i and %i candles apart, outcomes reaching 8 ahead: %s', (toValidation, toHoldout, passed) => {
  const range = (from: number, to: number) => ({ from: from * HOUR, to: to * HOUR, rows: to - from + 1 })
  const [validation, holdout] = [99 + toValidation, 199 + toValidation + toHoldout]
  const card: Pick<ModelCard, 'ranges' | 'horizons' | 'source'> = {
    ranges: {
      train: range(0, 99),
      validation: range(validation, validation + 100),
      holdout: range(holdout, holdout + 400),
    },
    horizons: 8,
    source: { venue: 'generated', symbol: 'TESTUSDT', timeframe: '1h' },
  }
  expect(checkRanges(card)).toMatchObject({ passed })
})
