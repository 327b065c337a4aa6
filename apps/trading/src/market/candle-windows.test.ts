import { sliceCandles } from '@shapecast/engine/candles'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { expect, it } from 'vitest'
import { CandleWindows } from './stored-candles.ts'

const candles = randomCandles(1000, 0, '1m')
const window = { revision: 1, whole: true, candles }

it('forgets the window that was used longest ago: three of 48,000 bytes do not fit into 100,000', () => {
  const windows = new CandleWindows(100_000)
  windows.set(1, window)
  windows.set(2, window)
  windows.get(1)
  windows.set(3, window)
  expect([windows.get(1), windows.get(2), windows.get(3)].map((w) => w !== undefined)).toEqual([true, false, true])
  expect(windows.calculatedSize).toBe(96_000)
})

it('adds candles one by one without copying all of them each time, and leaves older views alone', () => {
  const windows = new CandleWindows(1_000_000)
  windows.set(1, { ...window, candles: sliceCandles(candles, 0, 500) })
  const before = windows.get(1)!.candles
  const buffers = new Set<ArrayBufferLike>()
  for (let i = 500; i < 560; i++) buffers.add(windows.append(1, sliceCandles(candles, i, i + 1)).candles.ts.buffer)
  expect(buffers.size).toBe(1)
  expect(windows.get(1)!.candles.close).toEqual(candles.close.slice(0, 560))
  expect(before.close).toEqual(candles.close.slice(0, 500))
  expect(windows.calculatedSize).toBe((Math.ceil(501 * 1.25) + 64) * 48)
})
