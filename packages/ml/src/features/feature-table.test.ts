import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { generateCandles, withoutCandles } from '../testing/generated-candles.ts'
import { featureNames } from './feature-columns.ts'
import { buildFeatureTable, type FeatureTable, hasWindow } from './feature-table.ts'
import { harInputNames } from './har-inputs.ts'

const copyOf = (candles: Candles): Candles => {
  const copy = emptyCandles(candles.length)
  for (const column of ['ts', 'open', 'high', 'low', 'close', 'volume'] as const) copy[column].set(candles[column])
  return copy
}

const named = (table: FeatureTable): [string, Float64Array][] => [
  ...featureNames('1h').map((name, c): [string, Float64Array] => [name, table.features[c]!]),
  ...harInputNames('1h').map((name, c): [string, Float64Array] => [`har ${name}`, table.harInputs[c]!]),
  ['sigma', table.sigma],
  ['atr', table.atr],
  ['returns', table.returns],
]

const candles = generateCandles({ candles: 2600, seed: 7 })
const table = buildFeatureTable(candles, '1h')
const CUT = 2100

describe('features know nothing of the future', () => {
  const truncated = named(buildFeatureTable(sliceCandles(candles, 0, CUT), '1h'))
  const perturbed = copyOf(candles)
  for (let i = CUT; i < candles.length; i++) {
    perturbed.open[i]! *= 3
    perturbed.high[i]! *= 9
    perturbed.low[i]! /= 5
    perturbed.close[i]! *= 2 + (i % 3)
    perturbed.volume[i] = (i % 2) * 1e9
  }
  const changed = named(buildFeatureTable(perturbed, '1h'))
  named(table).forEach(([name, column], c) => {
    it(`${name} up to a candle stays when what follows is cut off or changed`, () => {
      expect(truncated[c]![1]).toEqual(column.slice(0, CUT))
      expect(changed[c]![1].slice(0, CUT)).toEqual(column.slice(0, CUT))
      if (!/hour|week|returns/.test(name)) expect(changed[c]![1].slice(CUT)).not.toEqual(column.slice(CUT))
    })
  })
})

describe('features', () => {
  it('are unknown for the first 99 candles and known from the hundredth on', () => {
    for (const column of table.features) {
      expect(column.subarray(0, 99).every(Number.isNaN)).toBe(true)
      expect(column.subarray(99).every(Number.isFinite)).toBe(true)
    }
  })

  it('have a column for every name, on every timeframe', () => {
    for (const timeframe of TIMEFRAMES) {
      const few = buildFeatureTable(sliceCandles(candles, 0, 150), timeframe)
      expect(few.features.length).toBe(featureNames(timeframe).length)
      expect(few.harInputs.length).toBe(harInputNames(timeframe).length)
    }
    expect(featureNames('1h').length).toBe(27)
    expect(featureNames('1m').some((name) => /hour|weekday/.test(name))).toBe(false)
    expect(featureNames('1d')).not.toContain('hour_sin')
  })

  it('do not depend, to the bit, on where the candles begin once 2,500 lie before', () => {
    const long = generateCandles({ candles: 6000, seed: 3 })
    const whole = named(buildFeatureTable(long, '1h'))
    const offset = 3127
    const late = named(buildFeatureTable(sliceCandles(long, offset), '1h'))
    whole.forEach(([, column], c) => {
      expect(late[c]![1].slice(2500)).toEqual(column.slice(offset + 2500))
    })
  })

  it('are free of scale: another coin price and volume unit give the same features', () => {
    const scaled = copyOf(candles)
    for (const column of ['open', 'high', 'low', 'close'] as const)
      for (let i = 0; i < scaled.length; i++) scaled[column][i]! *= 1024
    for (let i = 0; i < scaled.length; i++) scaled.volume[i]! *= 0.25
    const other = buildFeatureTable(scaled, '1h')
    table.features.forEach((column, c) => {
      for (let i = 99; i < candles.length; i += 50) expect(other.features[c]![i]).toBeCloseTo(column[i]!, 7)
    })
  })

  it('stay finite on a market that stands still without volume', () => {
    const dead = copyOf(sliceCandles(candles, 0, 300))
    for (const column of ['open', 'high', 'low', 'close'] as const) dead[column].fill(1)
    dead.volume.fill(0)
    const still = buildFeatureTable(dead, '1h')
    for (const column of [...still.features, ...still.harInputs])
      expect(column.subarray(99).every(Number.isFinite)).toBe(true)
  })

  it('count a return over a hole of three candles as four steps', () => {
    const holed = withoutCandles(candles, 500, 503)
    const r = Math.log(candles.close[503]! / candles.close[499]!)
    expect(buildFeatureTable(holed, '1h').returns[500]).toBeCloseTo(r / 2, 12)
  })

  it('warm up again after a hole of more than 24 candles, and windows do not reach over it', () => {
    const holed = buildFeatureTable(withoutCandles(candles, 500, 525), '1h')
    expect(holed.features[0]!.subarray(500, 599).every(Number.isNaN)).toBe(true)
    expect(holed.features[0]![599]).not.toBeNaN()
    expect([627, 628].map((i) => hasWindow(holed, i, 30))).toEqual([false, true])
    const bridged = buildFeatureTable(withoutCandles(candles, 500, 524), '1h')
    expect(hasWindow(bridged, 501, 30)).toBe(true)
  })
})
