import { expect, it } from 'vitest'
import { forecastErrors } from './chart-card.tsx'

it('is held beside the error of saying that nothing changes', () => {
  const rows = [
    [0, 0, 0, 0, 100, 0],
    [60, 0, 0, 0, 110, 0],
  ] as [number, number, number, number, number, number][]
  const said = { timestamp: 0, aligned_ts: 60, lstm_prediction: 104.5 }
  const errors = forecastErrors([said, { timestamp: 60, aligned_ts: 120, lstm_prediction: 1 }], rows)
  expect(errors?.model).toBeCloseTo(0.05)
  expect(errors?.noChange).toBeCloseTo(1 / 11)
  expect(forecastErrors([], rows)).toBeNull()
})
