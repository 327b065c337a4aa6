import { besideOf } from '@shapecast/contracts/foreign-card'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { buildFeatureTable } from '../features/feature-table.ts'
import { changedFrom } from '../testing/altered-candles.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { alignedColumn, besideRange } from './beside.ts'
import { ForeignCard } from './foreign-card.ts'
import { foreignRows, foreignSeries } from './foreign-forecast.ts'

const HOUR = 3_600_000
const rows = (ts: readonly number[]): Candles => {
  const column = Float64Array.from(ts, (_, k) => 10 * (k + 1))
  return {
    length: ts.length,
    ts: Float64Array.from(ts),
    open: column,
    high: column,
    low: column,
    close: column,
    volume: column,
  }
}
const at = (own: readonly number[], other: Candles, timeframe: '1h' | '4h') =>
  Array.from(alignedColumn(rows(own.map((h) => h * HOUR)), '1h', other, timeframe, other.close))

describe('a candle of a larger timeframe', () => {
  // They open at 0, 4 and 8 o'clock: 10, 20 and 30.
  const fours = rows([0, 4, 8].map((h) => h * HOUR))

  it('is known once it has closed: the one from 4 to 8 at the close of the hour from 7', () => {
    expect(at([3, 4, 5, 6, 7, 8, 11], fours, '4h')).toEqual([10, 10, 10, 10, 20, 20, 30])
  })

  it('is none before the first, and where the very one is missing', () => {
    expect(at([2, 3], fours, '4h')).toEqual([Number.NaN, 10])
    expect(at([7, 11], rows([0, 8 * HOUR]), '4h')).toEqual([Number.NaN, 20])
  })
})

it('the candle of another coin is the one with the same open time, never the one before', () => {
  expect(at([1, 2, 3], rows([HOUR, 3 * HOUR]), '1h')).toEqual([10, Number.NaN, 20])
})

const card = (inputs: object[], more: object = {}) =>
  ForeignCard.safeParse({
    format: 'shapecast-foreign-model',
    formatVersion: 1,
    name: 'by hand',
    timeframe: '1h',
    lookback: 3,
    inputs,
    ...more,
  })
const MIXED = card([
  { name: 'return_1' },
  { name: 'return_1', symbol: 'BTCUSDT' },
  { name: 'log_sigma', timeframe: '4h' },
  { name: 'close', symbol: 'BTCUSDT' },
]).data!

describe('a card with inputs of other series', () => {
  it('names each series once', () => {
    expect(besideOf(MIXED)).toEqual([
      { symbol: 'BTCUSDT', timeframe: '1h' },
      { symbol: null, timeframe: '4h' },
    ])
  })

  it('is refused with a smaller timeframe, an unknown input there, or a fourth series', () => {
    const says = (inputs: object[]) => card(inputs).error?.issues[0]?.message
    expect(says([{ name: 'return_1', timeframe: '5m' }])).toContain("smaller timeframe than the model's 1h")
    expect(says([{ name: 'hour_sin', timeframe: '1d', symbol: 'BTCUSDT' }, { name: 'moon' }])).toContain(
      'no input named',
    )
    expect(says(['A', 'B', 'C', 'D'].map((coin) => ({ name: 'close', symbol: `${coin}USDT` })))).toBe(
      'It looks at 4 other series; 3 are taken',
    )
  })
})

describe('forecasts that rest on other series', () => {
  const own = generateCandles({ candles: 600, seed: 1 })
  const btc = generateCandles({ candles: 600, seed: 2 })
  const fours = (() => {
    const hours = Float64Array.from(own.ts).filter((ts) => ts % (4 * HOUR) === 0)
    return { ...sliceCandles(generateCandles({ candles: 600, seed: 3 }), 0, hours.length), ts: hours }
  })()
  const beside = (later: (candles: Candles, from: number) => Candles = (all) => all, from = 0) => ({
    'BTCUSDT 1h': later(btc, from),
    ' 4h': later(
      fours,
      fours.ts.findIndex((ts) => ts + 4 * HOUR > own.ts[from]! + HOUR),
    ),
  })

  it('have the other coin beside the own one, and nothing of what comes later', () => {
    const { columns } = foreignSeries(MIXED, own, beside())
    const table = buildFeatureTable(btc, '1h')
    expect(columns[1]).toEqual(table.features[table.names.indexOf('return_1')])
    const changed = foreignSeries(MIXED, own, beside(changedFrom, 550)).columns
    columns.forEach((column, c) => {
      expect(changed[c]!.slice(0, 550)).toEqual(column.slice(0, 550))
    })
    expect(changed[3]!.slice(551)).not.toEqual(columns[3]!.slice(551))
  })

  it('are none while a window has a candle that is missing there', () => {
    const series = foreignSeries(MIXED, own, {
      ...beside(),
      'BTCUSDT 1h': { ...btc, ts: btc.ts.map((ts, i) => (i === 500 ? ts + 1 : ts)) },
    })
    const known = [...foreignRows(MIXED, series, 495)].slice(0, 6)
    expect(known).toEqual([495, 496, 497, 498, 499, 503])
  })

  it('ask for what a window of the larger timeframe rests on, and for no candle that has yet to close', () => {
    const asked = besideRange(own, '1h', { symbol: null, timeframe: '4h' })
    expect(asked.toMs).toBe(own.ts[599]! - 3 * HOUR)
    expect(asked.fromMs).toBe(own.ts[0]! - 2501 * 4 * HOUR)
  })
})
