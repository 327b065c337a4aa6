import { expect, it } from 'vitest'
import { progressOfJob } from './parameters-panel.tsx'

const progress = { current: 446, total: 720 }

it('says how many candles are done: 446 of 720 are 61 %', () => {
  expect(progressOfJob({ status: 'running', progress }, null)).toEqual({
    text: 'Running, 446 of 720 candles',
    pct: 61,
  })
})
it('a queued job is at 0', () => {
  expect(progressOfJob({ status: 'queued', progress }, null)).toEqual({ text: 'Queued…', pct: 0 })
})
it('a running job is never at 100, a completed one is', () => {
  const full = { current: 720, total: 720 }
  expect(progressOfJob({ status: 'running', progress: full }, null).pct).toBe(99)
  expect(progressOfJob({ status: 'completed', progress: full }, 400)).toEqual({ text: 'Completed in 0.4 s', pct: 100 })
})
it('a job without a total has no made-up percentage', () => {
  expect(progressOfJob({ status: 'running', progress: { current: 0, total: 0 } }, null)).toEqual({
    text: 'Running…',
    pct: 0,
  })
})
