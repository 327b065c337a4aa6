import { expect, it } from 'vitest'
import { sampleModel } from '../../../testing/sample-model.ts'
import { modelVerdicts, NEXT } from './verdict-card.tsx'

const [artifact] = sampleModel().artifacts as [ReturnType<typeof sampleModel>['artifacts'][number]]
const { verdict, evaluation } = artifact
const rowsOf = (over: Partial<typeof verdict>) => modelVerdicts({ evaluation, verdict: { ...verdict, ...over } })

it('says in three rows what a model is worth, and what follows', () => {
  const rows = rowsOf({})
  expect(rows.map(({ name, chip, figure, isCaution }) => [name, chip, figure, isCaution])).toEqual([
    ['Range', 'Kept its promise', '90.5%', false],
    ['Direction', 'No better than betting on a reversal', '54.1%', true],
    ['Traded plainly', 'Lost money', '−4.82%', true],
  ])
  expect(rows.map(({ sentence }) => sentence)).toEqual([
    'Nine of ten closes should land inside its 90% range: 362 of 400 did.',
    'Always betting against the last candle was right 49.1% of the time.',
    'Buy and hold over the same 400 candles: +2.59%. Too few to tell them apart.',
  ])
  expect(rows[2]?.basis).toBe('net · 95% CI −15.3 to +5.8')
  expect(NEXT[verdict.next]).toBe('Let it set the size, not the side: a bot with Model as brake does that.')
})

it('has no row for a range that was not judged', () =>
  expect(rowsOf({ range: null }).map(({ name }) => name)).toEqual(['Direction', 'Traded plainly']))

it('says by how much it was ahead where there is no interval, and nothing of too few where holding lies apart', () => {
  const trading = { ...verdict.trading, isApartFromHold: true }
  const { uncertainty: _, ...older } = evaluation
  const row = modelVerdicts({ evaluation: older, verdict: { ...verdict, trading } })[2]
  expect(row?.basis).toBe('net · 7.41 points less')
  expect(row?.sentence).toMatch(/\+2\.59%\.$/)
})
