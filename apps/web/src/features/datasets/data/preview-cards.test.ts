import { describe, expect, it } from 'vitest'
import { countSignals, predictionLimit } from './preview-cards.tsx'

describe('predictions of a range', () => {
  it('are asked for 2,000 at a time, or twice the candles where that is more', () =>
    expect([predictionLimit(720), predictionLimit(1000), predictionLimit(5000)]).toEqual([2000, 2000, 10_000]))
  it('are counted by signal, and by whether the model had learnt from them', () =>
    expect(
      countSignals([
        { signal: 'BUY', trainedOn: true },
        { signal: 'BUY', trainedOn: false },
        { signal: 'HOLD', trainedOn: true },
      ]),
    ).toEqual({ buy: 2, sell: 0, hold: 1, trainedOn: 2 }))
  it('are nothing where there are none', () => expect(countSignals([])).toBeNull())
})
