import { expect, it } from 'vitest'
import { sampleMetrics } from '../../testing/sample-run.ts'
import { judgedReturn } from './judged-return.ts'

it('is judged by the unseen part, an older run by the whole, one that was all seen by nothing', () => {
  const unseen = { from: 0, to: 1, candles: 1, metrics: sampleMetrics({ totalReturnPct: -2 }) }
  expect(judgedReturn({ unseen, totalReturnPct: 9 }).pct).toBe(-2)
  expect(judgedReturn({ totalReturnPct: 9 }).pct).toBe(9)
  expect(judgedReturn({ unseen: null, totalReturnPct: 9 }).pct).toBeNull()
})
