import type { CandleRow } from '@shapecast/contracts/market'
import { expect, it } from 'vitest'
import { prepareBacktestChart } from './backtest-chart-data.ts'
import { hoverLookup, sampledCandles } from './chart-figures.tsx'

const chart = (count: number) =>
  prepareBacktestChart({
    candles: Array.from({ length: count }, (_, i): CandleRow => [i * 10, 1, 4, 0.5, i, 100]),
    trades: [],
    openPosition: null,
    equity: [{ t: 10, equity: 1000 }],
    predictions: [{ t: 20, price: 7 }],
    initialBalance: 1000,
    seen: [],
  })

it('a candle shows the last known equity and the prediction of its own close only', () => {
  const lookup = hoverLookup(chart(4))
  expect(lookup(0)).toMatchObject({ equity: null, prediction: null })
  expect(lookup(2)).toMatchObject({ t: 20, close: 2, equity: 1000, prediction: 7 })
  expect(lookup(3)).toMatchObject({ equity: 1000, prediction: null })
  expect(lookup(4)).toBeNull()
})

it('the table holds 24 candles, the first and the last among them', () => {
  const rows = sampledCandles(chart(1000))
  expect(rows).toHaveLength(24)
  expect([rows[0]!.close, rows.at(-1)!.close]).toEqual([0, 999])
  expect(sampledCandles(chart(3)).map((row) => row.close)).toEqual([0, 1, 2])
  expect(sampledCandles(chart(1))).toHaveLength(1)
})
