import { expect, it } from 'vitest'
import { type ChartPrediction, fromColumns, PredictionColumns, toColumns } from './prediction-columns.ts'

const HOUR = 3_600_000
const row = (hour: number, more: Partial<ChartPrediction> = {}): ChartPrediction => ({
  timestamp: hour * HOUR,
  aligned_ts: (hour + 1) * HOUR,
  signal: 'HOLD',
  confidence: 0.5,
  lstm_prediction: 64_123.45,
  transformer_prediction: 64_000,
  version: 'v3',
  hash: 'a',
  source: 'backfilled',
  madeAt: 7,
  trainedOn: false,
  ...more,
})

it('rows made into columns come back as they were: gaps, kinds and makers', () => {
  const rows = [
    row(10, { trainedOn: true, signal: 'SELL' }),
    row(11, { source: 'live', madeAt: 5, hash: 'old', signal: 'BUY' }),
    row(14),
  ]
  const columns = toColumns(rows, HOUR)
  expect(columns).toMatchObject({
    makers: [
      { version: 'v3', hash: 'a' },
      { version: 'v3', hash: 'old' },
    ],
    maker: [0, 1, 0],
    timestamp: [10 * HOUR, HOUR, 3 * HOUR],
    madeAt: [7, -2, 2],
    signal: 'SBH',
    source: 'blb',
    trainedOn: '100',
  })
  expect(fromColumns(PredictionColumns.parse(JSON.parse(JSON.stringify(columns))))).toEqual(rows)
})

it('prediction columns keep seven digits of a price and four decimals of a confidence', () => {
  const [first, second] = fromColumns(
    toColumns(
      [
        row(1, { lstm_prediction: 64_123.456789, confidence: 0.64218 }),
        row(2, { lstm_prediction: 0.000_012_345_678_9 }),
      ],
      HOUR,
    ),
  )
  expect([first?.lstm_prediction, first?.confidence]).toEqual([64_123.46, 0.6422])
  expect(second?.lstm_prediction).toBe(0.000_012_345_68)
})

it('no predictions make empty columns', () => expect(fromColumns(toColumns([], HOUR))).toEqual([]))
