import type { CandleRow } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { mergeSpans, pointsOnCandles, prepareBacktestChart, spanOfPoints } from './backtest-chart-data.ts'

const candles: CandleRow[] = [0, 10, 20, 30].map((t) => [t, 1, 2, 0.5, 1.5, 100])

describe('points on candles', () => {
  it('keeps the last point of a candle that holds several', () => {
    const points = [
      { t: 0, value: 1 },
      { t: 4, value: 2 },
      { t: 9, value: 3 },
      { t: 10, value: 4 },
    ]
    expect(pointsOnCandles(points, [0, 10])).toEqual([
      { t: 0, value: 3 },
      { t: 10, value: 4 },
    ])
  })

  it('leaves out what lies before the first candle and what is not a number', () => {
    const points = [
      { t: -1, value: 1 },
      { t: 5, value: Number.NaN },
    ]
    expect(pointsOnCandles(points, [0, 10])).toEqual([])
  })

  it('a prediction of the candle after the last keeps its time; an equity point does not', () => {
    expect(pointsOnCandles([{ t: 20, value: 7 }], [0, 10], true)).toEqual([{ t: 20, value: 7 }])
    expect(pointsOnCandles([{ t: 20, value: 7 }], [0, 10])).toEqual([{ t: 10, value: 7 }])
  })
})

describe('equity in percent', () => {
  it('begins at 0% at the first candle, and falls from what was reached before it', () => {
    const { equity, hold, drawdown, beginning } = prepareBacktestChart({
      candles,
      trades: [],
      openPosition: null,
      equity: [
        { t: -10, equity: 200 },
        { t: 0, equity: 150 },
        { t: 20, equity: 165 },
      ],
      hold: [
        { t: 0, equity: 80 },
        { t: 20, equity: 60 },
      ],
      predictions: [],
      initialBalance: 100,
      seen: [],
      inPercent: true,
    })
    const values = (points: typeof equity) => points.map(({ value }) => Number(value.toFixed(9)))
    expect([values(equity), values(hold), values(drawdown), beginning]).toEqual([[0, 10], [0, -25], [-25, -17.5], 0])
  })
})

describe('in-sample spans', () => {
  const prepared = (seen: { from: number; to: number }[]) =>
    prepareBacktestChart({
      candles,
      trades: [],
      openPosition: null,
      equity: [],
      predictions: [],
      initialBalance: 100,
      seen,
    }).seen

  it('are cut to the candles of the chart', () => {
    expect(prepared([{ from: -500, to: 15 }])).toEqual([{ from: 0, to: 1 }])
  })
  it('are none where the model learnt from other times', () => {
    expect(
      prepared([
        { from: -500, to: -1 },
        { from: 31, to: 99 },
      ]),
    ).toEqual([])
  })
  it('merge where those of two models overlap', () => {
    expect(
      mergeSpans([
        { from: 5, to: 9 },
        { from: 0, to: 4 },
        { from: 12, to: 14 },
      ]),
    ).toEqual([
      { from: 0, to: 9 },
      { from: 12, to: 14 },
    ])
  })
})

const times = [0, 10, 20, 30]
const points = [
  { t: 0, value: 5 },
  { t: 10, value: 9 },
  { t: 20, value: 1 },
  { t: 30, value: 7 },
]

it('is taken over the candles in sight only', () => {
  expect(spanOfPoints(points, times)(0, 1)).toEqual({ min: 5, max: 9 })
  expect(spanOfPoints(points, times)(0.4, 3.2)).toEqual({ min: 1, max: 9 })
})

it('is nothing where no candle is in sight', () => {
  expect(spanOfPoints(points, times)(4, 9)).toBeNull()
  expect(spanOfPoints([], times)(0, 3)).toBeNull()
})
