import { expect, it } from 'vitest'
import type { FeatureTable } from '../features/feature-table.ts'
import { thingsLookedAt } from './looked-at.ts'
import { rowsLookedAt } from './taken-apart.ts'

it('what is one thing is looked at with all columns that say it, and past moves by themselves', () => {
  const things = thingsLookedAt(
    '1h',
    ['hour_sin', 'hour_cos', 'atr_14', 'rsi_14'],
    ['log_mean_abs_1', 'log_mean_abs_24', 'log_atr', 'hour_7', 'hour_9'],
  )
  expect(Object.fromEntries(things.map(({ name, columns }) => [name, columns]))).toEqual({
    hour: ['hour_sin', 'hour_cos', 'volatility input hour_7', 'volatility input hour_9'],
    atr_14: ['atr_14', 'volatility input log_atr'],
    rsi_14: ['rsi_14'],
    log_mean_abs_1: ['volatility input log_mean_abs_1'],
    log_mean_abs_24: ['volatility input log_mean_abs_24'],
  })
  const labels = things.filter(({ name }) => name.startsWith('log_mean')).map(({ label }) => label)
  expect(labels).toEqual(['Size of the last move', 'Mean size of the last 24 moves'])
})

it('the rows looked at are those of every window that ends at a judged candle, where there are any', () => {
  const rows = (from: number, to: number, sigma: number[]) =>
    Array.from(rowsLookedAt({ sigma: Float64Array.from(sigma) } as Partial<FeatureTable> as FeatureTable, from, to, 3))
  // Windows of three that end at candles 5 and 6 begin with 3.
  expect(rows(5, 7, [1, 1, 1, 1, 1, 1, 1, 1])).toEqual([3, 4, 5, 6])
  expect(rows(5, 7, [1, 1, 1, Number.NaN, 1, 1, 1, 1])).toEqual([4, 5, 6])
  expect(rows(1, 2, [1, 1, 1])).toEqual([0, 1])
})
