import { expect, it } from 'vitest'
import { sampleRun } from '../../../../testing/sample-run.ts'
import { runNotes } from './run-notes.tsx'

const ids = (run: Parameters<typeof runNotes>[0]) => runNotes(run).map((note) => note.id)

it('a live run on whole, stored candles needs no note', () => {
  expect(ids(sampleRun({ market: 'live' }))).toEqual([])
})

it('simulated prices and candles of the request are amber', () => {
  const run = sampleRun({ market: 'simulated' })
  const notes = runNotes({ ...run, meta: { ...run.meta, candlesFrom: 'request' } })
  expect(notes.map((note) => [note.id, note.caution])).toEqual([
    ['market', true],
    ['candles', true],
  ])
})

it('counts gaps and skipped orders in words', () => {
  const run = sampleRun({ market: 'live' })
  const skippedOrders = [{ reason: 'below_min_notional', count: 2 }]
  const notes = runNotes({ ...run, meta: { ...run.meta, gaps: { count: 1, missingCandles: 3 }, skippedOrders } })
  expect(notes.map((note) => note.text)).toEqual([
    'The range has 1 gap, 3 candles in all. Nothing is filled inside a gap.',
    '2 orders skipped: worth less than the market’s smallest order.',
  ])
})

it('says in amber that positions were smaller than asked for', () => {
  const run = sampleRun({ market: 'live' })
  const notes = runNotes({ ...run, meta: { ...run.meta, entries: 5, reducedEntries: 3 } })
  expect(notes).toMatchObject([
    {
      caution: true,
      text: '3 of 5 positions were opened smaller than asked for: the balance carried no more.',
    },
  ])
})

it('unknown funding is said of futures only', () => {
  const run = sampleRun({ market: 'live' })
  const meta = { ...run.meta, fundingAssumed: undefined }
  expect(ids({ ...run, meta })).toEqual(['funding'])
  expect(ids({ ...run, meta, params: { ...run.params, marketType: 'spot' } })).toEqual([])
})

it('says for how much of the time funding was assumed, and where that is too much to judge the result', () => {
  const run = sampleRun({ market: 'live' })
  const said = (fundingAssumed: number) => runNotes({ ...run, meta: { ...run.meta, fundingAssumed } })
  expect(said(0.03)).toMatchObject([{ caution: false, text: expect.stringContaining('unknown for 3.0% of the time') }])
  expect(said(0.2)).toMatchObject([{ caution: true, text: expect.stringContaining('too much to judge') }])
})

it('says how often smaller candles told whether the stop or the target came first', () => {
  const run = sampleRun({ market: 'live' })
  const said = (told: number, by: '1m' | null) =>
    runNotes({ ...run, meta: { ...run.meta, bothReached: { candles: 7, told, by } } })[0]?.text
  expect(said(7, '1m')).toBe('7 candles reached both stop and target. The 1m candles within told which came first.')
  expect(said(5, '1m')).toMatch(/came first in 5; in the others the stop is assumed\.$/)
  expect(said(0, null)).toMatch(/The stop is assumed: no smaller candles are stored/)
})
