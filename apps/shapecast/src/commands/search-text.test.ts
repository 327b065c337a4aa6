import type { SearchResult } from '@shapecast/contracts/search'
import { expect, it } from 'vitest'
import { textOfSearch } from './search.ts'

const RESULT = {
  parameters: [{ name: 'fast', label: 'Fast', values: [4, 8] }],
  points: {
    choices: [[0], [1]],
    sharpe: [null, 1.234],
    netReturnPct: [0, 75.5],
    maxDrawdownPct: [1, 8.7],
    trades: [2, 61],
  },
  best: { point: 1, values: { fast: 8 }, rule: null, sharpe: 1.234, interval: null },
  luck: { sharpe: 1.58 },
  overfitting: { probability: 0.52, choices: 12_870 },
  keptRun: { returnPct: -4.66, holdPct: 3.51, trades: 12 },
  moved: [{ name: 'fast', share: 0.5, best: 8, worst: 4 }],
} as unknown as SearchResult

it('a search is printed verdict first, then what it rests on', () => {
  const lines = textOfSearch({ ...RESULT, p: 0.09 }).split('\n')
  expect(lines.slice(0, 4)).toEqual([
    'No better than luck.',
    'The best of 2 has a Sharpe of 1.23 on the searched part; luck alone gives about 1.58 (reality check p = 0.090).',
    'Chosen on one half of the history, the winner fell into the lower half on the other in 52% of 12870 splits.',
    'On the part kept unseen it came to −4.66%, holding to 3.51%; 12 trades.',
  ])
  expect(lines[6]!.split(/\s+/)).toEqual(['8', '1.23', '75.50%', '−8.70%', '61'])
  expect(textOfSearch({ ...RESULT, p: 0.04 })).toMatch(/^More than luck where it was chosen\./)
})
