import { expect, it } from 'vitest'
import { sampleMetrics, sampleRun } from '../sample.fixture.ts'
import { runCaution, runLine, runModelText } from './run-summary.ts'

const OCT_21_2025 = Date.UTC(2025, 9, 21)

it('a run in a line: start, trades, profit factor', () => {
  const run = { startTime: OCT_21_2025, metrics: sampleMetrics({ trades: 66, profitFactor: 1.38 }) }
  expect(runLine(run, Date.UTC(2025, 10, 20))).toBe('21 Oct · 66 trades · PF\u00a01.38')
  expect(runLine(run, Date.UTC(2026, 0, 1))).toBe('21 Oct 2025 · 66 trades · PF\u00a01.38')
})

it('a run without a losing trade has no profit factor', () => {
  const run = { startTime: OCT_21_2025, metrics: sampleMetrics({ trades: 1, profitFactor: null }) }
  expect(runLine(run, OCT_21_2025)).toBe('21 Oct · 1 trade · PF\u00a0—')
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
