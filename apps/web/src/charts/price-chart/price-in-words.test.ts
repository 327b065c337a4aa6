import { expect, it } from 'vitest'
import { priceSummary } from './price-in-words.ts'
import { priceModel } from './price-model.ts'

const scene = (closes: number[]) => ({
  model: priceModel(
    closes.map((close, i) => [i * 3_600_000, 100, 200, 50, close, 1]),
    3_600_000,
  ),
  lines: [],
  predictions: null,
  fan: null,
  type: 'candles' as const,
  futureLabel: 'Next 6 h',
})

it('says what is drawn, the last price and the change since the first candle opened', () =>
  expect(priceSummary(scene([101, 110]), 'BTC/USDT 1h', 0.1)).toBe(
    'BTC/USDT 1h, 2 candles from 1 Jan 1970, 00:00 UTC to 1 Jan 1970, 01:00 UTC. Last price 110.0, +10.00% since the first of them.',
  ))
it('tells of the forecast where there is one', () => {
  const steps = [{ q05: 90, q25: 100, q50: 110, q75: 120, q95: 130 }]
  const text = priceSummary({ ...scene([101, 110]), fan: { t: 3_600_000, price: 110, steps } }, 'BTC/USDT 1h', 0.1)
  expect(text).toMatch(/Next 6 h: between 90\.0 and 130\.0 with 90% confidence\.$/)
})
it('an empty chart has no candles', () =>
  expect(priceSummary(scene([]), 'BTC/USDT 1h', 0.1)).toBe('BTC/USDT 1h: no candles.'))
