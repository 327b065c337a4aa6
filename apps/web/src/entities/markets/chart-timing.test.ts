import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { expect, it } from 'vitest'
import { CANDLE_CACHE_MS, CHART_REFRESH_MS, PREDICTION_CACHE_MS } from './chart-timing.ts'

const seconds = (table: typeof CHART_REFRESH_MS) => TIMEFRAMES.map((timeframe) => table[timeframe] / 1000)

it('an open chart asks for its newest candles every 15 s at 1m, seldomer the wider its candles are', () =>
  expect(seconds(CHART_REFRESH_MS)).toEqual([15, 30, 60, 90, 120, 300, 600]))
it('candles are fresh for 15 s at 1m up to half an hour at 1d', () =>
  expect(seconds(CANDLE_CACHE_MS)).toEqual([15, 45, 120, 180, 240, 600, 1800]))
it('predictions are fresh for 10 s at 1m up to 10 min at 1d', () =>
  expect(seconds(PREDICTION_CACHE_MS)).toEqual([10, 30, 60, 90, 120, 300, 600]))
