import { expect, it } from 'vitest'
import { sampleMetrics, sampleRun } from '../../../testing/sample-run.ts'
import { runCaution, runModelText, runResult, runSetup, wholePct } from './run-summary.ts'

it('tells runs apart: what was run on what, with which leverage, and the result', () => {
  const run = sampleRun()
  const params = { ...run.params, marketType: 'futures' as const, leverage: 10, mlModelVersion: 'v3' }
  expect(runSetup({ ...run, params })).toBe('BTCUSDT 1h · v3 · Futures 10×')
  expect(runSetup({ ...run, params: { ...params, marketType: 'spot' } })).toBe('BTCUSDT 1h · v3 · Spot')
  const metrics = sampleMetrics({ trades: 66, profitFactor: 1.38 })
  expect(runResult({ metrics, seenRatio: 0.44 })).toBe('66 trades · PF\u00a01.38 · 44% seen')
  expect(runResult({ metrics: sampleMetrics({ trades: 1, profitFactor: null }), seenRatio: 0 })).toBe(
    '1 trade · PF\u00a0—',
  )
})

it('names the model, the size of an ensemble, or OpenAI', () => {
  const { params } = sampleRun()
  expect(runModelText(params)).toBe('v3')
  expect(runModelText({ ...params, mlModelVersion: null, mlModelVersions: ['a', 'b', 'c'] })).toBe('3 models')
  expect(runModelText({ ...params, strategy: 'openai' })).toBe('OpenAI')
  expect(runModelText({ ...params, mlModelVersion: null })).toBeNull()
})

it('says beside a return how much of the range the model had seen', () => {
  expect(runCaution({ seenRatio: 0 })).toBeNull()
  expect(runCaution({ seenRatio: 0.001 })?.short).toBe('1% seen')
  expect(runCaution({ seenRatio: 0.834 })).toEqual({
    short: '83% seen',
    text: 'The model had seen, or may have seen, 83% of this range',
  })
})

it('calls a sliver 1 % and almost all 99 %: never none or all', () => {
  expect(wholePct(0.001)).toBe(1)
  expect(wholePct(0.999)).toBe(99)
})
