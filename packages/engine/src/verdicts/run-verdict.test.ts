import type { RangePart } from '@shapecast/contracts/backtest-results'
import { expect, it } from 'vitest'
import { judgedReturn, runVerdict } from './run-verdict.ts'

const part = (more: object): RangePart => ({ from: 100, to: 499, candles: 400, metrics: {}, ...more }) as RangePart
const run = (unseen: RangePart | null, haltedAt: number | null = null) => ({ seen: { unseen }, meta: { haltedAt } })

it('the verdict of a run is that of the intervals of its unseen part', () =>
  expect(runVerdict(run(part({ intervals: { verdict: 'may_be_luck' } })))).toBe('may_be_luck'))

it('the verdict of a run says that the drawdown limit ended it before its unseen part, not that it ended within', () => {
  const unseen = part({ intervals: { verdict: 'too_few' } })
  expect([99, 100].map((haltedAt) => runVerdict(run(unseen, haltedAt)))).toEqual(['halted_before', 'too_few'])
})

it('an older run is judged as without intervals, and a run without an unseen part not at all', () => {
  expect(runVerdict(run(part({})))).toBe('no_intervals')
  expect(runVerdict(run(null, 5))).toBeNull()
})

it.each([
  ['unseen', -5.3, { trades: 4, totalReturnPct: -5.3 }],
  ['unseen', 0.1, { trades: 0, totalReturnPct: 0.1 }],
  ['not_traded', null, { trades: 0, totalReturnPct: 0 }],
])('a run is judged as %s by %s when its unseen part came to %j', (by, returnPct, metrics) =>
  expect(judgedReturn({ totalReturnPct: 9, unseen: part({ metrics }) })).toEqual({ by, returnPct }),
)

it('judges older runs by the whole range, and a range that was all seen by nothing', () => {
  expect(judgedReturn({ totalReturnPct: 9 })).toEqual({ by: 'whole_range', returnPct: 9 })
  expect(judgedReturn({ totalReturnPct: 9, unseen: null })).toEqual({ by: 'all_seen', returnPct: null })
})
