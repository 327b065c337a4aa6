import { expect, it } from 'vitest'
import { sampleMetrics, sampleRun } from '../../../../testing/sample-run.ts'
import { seenFacts } from './seen-notice.tsx'

const HOUR = 3_600_000

it('a range of which 38 % was seen is said so, with the end of the training', () => {
  const run = sampleRun({
    seenRatio: 0.38,
    seen: { ranges: [{ from: 0, to: 37 * HOUR, version: 'v3.2' }], seen: null, unseen: null },
  })
  expect(seenFacts(run)).toEqual({
    kind: 'some',
    title: 'Model had seen 38% of this range',
    text: 'v3.2 has seen (training and validation) candles up to 2 Jan 1970, 13:00 UTC. Judge the result by the unseen part.',
    seenPct: 38,
    seenSpan: { fromPct: 0, toPct: 38 },
  })
})

it('a training that began inside the range names both its ends', () => {
  const seen = { ranges: [{ from: 50 * HOUR, to: 60 * HOUR, version: 'v3' }], seen: null, unseen: null }
  const facts = seenFacts(sampleRun({ seenRatio: 0.11, seen }))
  expect(facts.text).toContain('candles from 3 Jan 1970, 02:00 UTC up to 3 Jan 1970, 12:00 UTC.')
})

it('an upload’s range is called a declaration, and unknown up to its upload where nobody declared it', () => {
  const range = { from: 0, to: 37 * HOUR, version: 'v9' }
  const facts = (basis: 'declared' | 'unknown') =>
    seenFacts(sampleRun({ seenRatio: 0.38, seen: { ranges: [{ ...range, basis }], seen: null, unseen: null } }))
  expect(facts('declared').text).toContain(
    'By its author’s word v9 has seen (training and validation) candles up to 2 Jan 1970, 13:00 UTC.',
  )
  const unknown = facts('unknown')
  expect(unknown.kind === 'some' && unknown.title).toBe('Model may have seen 38% of this range')
  expect(unknown.text).toContain('Nobody here knows what v9 was trained on: any candle up to 2 Jan 1970, 13:00 UTC')
})

it('nothing seen is a quiet line', () => {
  expect(seenFacts(sampleRun())).toEqual({ kind: 'none', text: 'The model had seen none of this range.' })
})

it('nothing seen by the word of an upload’s author is said to be that', () => {
  const upload = { ...sampleRun().seen, byAuthorsWord: ['v9'] }
  expect(seenFacts(sampleRun({ seen: upload })).text).toBe(
    'The model had seen none of this range, by the word of the author, who trained elsewhere: nobody here can check it.',
  )
})

it('all seen: there is nothing to judge by', () => {
  const facts = seenFacts(sampleRun({ seenRatio: 1 }))
  expect(facts.kind === 'some' && facts.title).toBe('Model had seen all of this range')
})

it('an OpenAI model may have seen anything', () => {
  const run = sampleRun()
  expect(seenFacts({ ...run, params: { ...run.params, strategy: 'openai' } }).text).toContain('not known')
})

it('a training in the middle: where it lies, and that the unseen column holds what follows it', () => {
  const unseen = { from: 61 * HOUR, to: 99 * HOUR, candles: 39, metrics: sampleMetrics() }
  const seen = { ranges: [{ from: 50 * HOUR, to: 60 * HOUR, version: 'v3' }], seen: null, unseen }
  const facts = seenFacts(sampleRun({ seenRatio: 0.11, seen }))
  expect(facts.text).toContain('The unseen column holds the 39 candles from 3 Jan 1970 to 5 Jan 1970.')
  expect(facts.kind === 'some' && facts.seenSpan).toEqual({ fromPct: 50, toPct: 61 })
})
