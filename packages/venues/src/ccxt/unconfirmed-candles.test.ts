import { emptyCandles } from '@shapecast/engine/candles'
import { expect, it } from 'vitest'
import type { HistoryAnswer } from './candle-pages.ts'
import { createUnconfirmedCandles } from './unconfirmed-candles.ts'

const answer = (volume: number, askedMs: number): HistoryAnswer => {
  const candles = emptyCandles(1)
  candles.ts[0] = 60_000
  candles.volume[0] = volume
  return { candles, askedMs }
}

it('a candle is read once more when a message about it comes while the history is read', async () => {
  const answers: ((answer: HistoryAnswer) => void)[] = []
  const found: [number, number][] = []
  const unconfirmed = createUnconfirmedCandles({
    read: () => new Promise((resolve) => answers.push(resolve)),
    found: (candle, askedMs) => found.push([candle.volume, askedMs]),
    signal: new AbortController().signal,
    waitMs: 1,
    random: () => 0,
  })
  unconfirmed.add(60_000)
  await expect.poll(() => answers.length).toBe(1)
  unconfirmed.add(60_000)
  answers[0]!(answer(1, 100))
  await expect.poll(() => answers.length).toBe(2)
  answers[1]!(answer(2, 200))
  await expect.poll(() => found).toEqual([[2, 200]])
})
