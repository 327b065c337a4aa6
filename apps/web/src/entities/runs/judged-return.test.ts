import { expect, it } from 'vitest'
import { sampleMetrics } from '../../testing/sample-run.ts'
import { judgedReturn } from './judged-return.ts'

it('is judged by the unseen part, an older run by the whole, one that was all seen by nothing', () => {
  const unseen = { from: 0, to: 1, candles: 1, metrics: sampleMetrics({ totalReturnPct: -2 }) }
  expect(judgedReturn({ unseen, totalReturnPct: 9 }).pct).toBe(-2)
  expect(judgedReturn({ totalReturnPct: 9 }).pct).toBe(9)
  const idle = { ...unseen, metrics: sampleMetrics({ trades: 0, totalReturnPct: 0 }) }
  expect(judgedReturn({ unseen: idle, totalReturnPct: -43 }).pct).toBeNull()
  const holding = { ...unseen, metrics: sampleMetrics({ trades: 0, totalReturnPct: 4 }) }
  expect(judgedReturn({ unseen: holding, totalReturnPct: 9 }).pct).toBe(4)
  expect(judgedReturn({ unseen: null, totalReturnPct: 9 }).pct).toBeNull()
})
