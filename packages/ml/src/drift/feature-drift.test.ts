import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import { generateCandles } from '../testing/generated-candles.ts'
import { driftColumns, driftingInputs, HISTORY_CANDLES } from './drift-columns.ts'
import { featureVerdict, inputLabel, shiftWords } from './drift-words.ts'
import { featureDrift, stretchLength } from './feature-drift.ts'
import { stabilityIndex } from './stability-index.ts'
import { isShifted, profileTraining, spreadOf } from './training-profile.ts'

/** Columns that remember: each value is 0.99 of the one before plus chance. */
function slowColumns(seed: number, columns: number, length: number): Float64Array[] {
  const random = createRandom(seed)
  return Array.from({ length: columns }, () => {
    let x = random.normal() / Math.sqrt(1 - 0.99 ** 2)
    return Float64Array.from({ length }, () => {
      x = 0.99 * x + random.normal()
      return x
    })
  })
}
const names = (n: number) => Array.from({ length: n }, (_, i) => `f${i}`)
const drift = (columns: readonly Float64Array[], recent: number) => {
  const cut = columns[0]!.length - recent
  const profile = profileTraining(
    names(columns.length),
    columns.map((column) => column.slice(0, cut)),
    recent,
  )
  return featureDrift(
    profile,
    columns.map((column) => column.slice(cut)),
  )
}

describe('the stretch that is compared', () => {
  it.each([
    [4500, 900, 450],
    [9000, 900, 500],
    [9000, 420, 400],
    [9000, 99, 0],
    [700, 400, 100],
    [500, 400, 100],
    [499, 400, 0],
    [400, 400, 0],
  ])('after %i candles of training and %i since is %i', (trained, since, length) => {
    expect(stretchLength(trained, since)).toBe(length)
  })
})

describe('what a stretch shows by chance', () => {
  it('is the ⌈0.95 (n + 1)⌉-th smallest index of its stretches, each against the rest', () => {
    // 100 values of 0 and then 20 of 1: a mark that never changes but in the newest fifth. Stretches of 20 begin at every
    // second value: 41 of zeros alone, nine that reach into the ones, one of ones alone. Of 51 the ⌈49.4⌉ = 50th counts:
    // 18 ones of 20, against 2 of 100.
    const values = Float64Array.from({ length: 120 }, (_, i) => (i < 100 ? 0 : 1))
    const { columns, shiftedByChance, rows } = profileTraining(['f0'], [values], 20)
    expect(rows).toBe(120)
    // Bins: zeros, ones, and nothing above.
    const index = (ones: number): number => stabilityIndex([100 - (20 - ones), 20 - ones], [20 - ones, ones])
    expect(columns[0]!.chanceBand).toBeCloseTo(index(18), 12)
    expect(shiftedByChance).toBe(1)
    expect(columns[0]!.spread).toEqual({ median: 0, low: 0, high: 1, min: 0, max: 1 })
  })

  it('counts as a shift beyond 0.1 and beyond itself', () => {
    expect([isShifted(0.1, 0.05), isShifted(0.11, 0.05), isShifted(0.11, 0.2), isShifted(0.21, 0.2)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })
})

describe('features that remember but do not change', () => {
  const SEEDS = 60
  const results = Array.from({ length: SEEDS }, (_, s) => drift(slowColumns(s + 1, 12, 4950), 450))
  const features = results.flatMap((result) => result.features)

  it('lie above the usual bound of 0.25 nearly always, which is why it is not asked alone', () => {
    expect(features.filter((feature) => feature.index > 0.25).length).toBeGreaterThan(0.7 * features.length)
  })

  it('are called shifted at about the 1 in 20 of their band', () => {
    expect(features.filter((feature) => feature.shifted).length).toBeLessThan(0.09 * features.length)
  })

  it('are called a drift of the whole in at most one case of ten', () => {
    expect(results.filter((result) => result.drifts).length).toBeLessThanOrEqual(SEEDS / 10)
  })
})

describe('a feature that changed', () => {
  const random = createRandom(5)
  const noise = (length: number, mean = 0, sd = 1) => Float64Array.from({ length }, () => mean + sd * random.normal())
  const join = (a: Float64Array, b: Float64Array) => Float64Array.from([...a, ...b])
  const result = drift(
    [noise(5000), join(noise(4500), noise(500, 1)), join(noise(4500), noise(500, 0, 3)), noise(5000)],
    500,
  )

  it('is found by its place and by its width, the others are not', () => {
    expect(result.features.map(({ name, shifted }) => [name, shifted])).toEqual([
      ['f1', true],
      ['f2', true],
      expect.arrayContaining([false]),
      expect.arrayContaining([false]),
    ])
    expect(result).toMatchObject({ shifted: 2, candles: 500, trainedCandles: 4500, drifts: true })
  })

  it('comes with what it was and what it is', () => {
    const [place, width] = result.features
    expect(place!.was.median).toBeCloseTo(0, 1)
    expect(place!.now.median).toBeCloseTo(1, 0)
    expect(width!.now.high - width!.now.low).toBeGreaterThan(2.5 * (width!.was.high - width!.was.low))
    expect(width!.outside).toBeGreaterThan(0.1)
  })
})

describe('one feature of many', () => {
  const spread = { median: 5, low: 1, high: 9, min: 0, max: 10 }
  const judge = (values: number[], chanceBand: number) =>
    featureDrift(
      {
        stretch: 10,
        rows: 100,
        columns: [{ name: 'f0', edges: [5], counts: Float64Array.of(50, 50), spread, chanceBand }],
        shiftedByChance: 1,
      },
      [Float64Array.from(values)],
    )
  const times = (n: number, value: number): number[] => new Array(n).fill(value)
  const atTheTop = times(10, 10)
  const { index } = judge(atTheTop, 0).features[0]!

  it('drifts alone where it has shifted by more than three times its band', () => {
    expect(judge(atTheTop, index / 2.9).drifts).toBe(false)
    expect(judge(atTheTop, index / 3.1).drifts).toBe(true)
  })

  it('drifts alone where more than half of it lies outside, and it has shifted', () => {
    expect(judge([...times(5, 10), ...times(5, 11)], index / 2)).toMatchObject({ shifted: 1, drifts: false })
    expect(judge([...times(4, 10), ...times(6, 11)], index / 2)).toMatchObject({ shifted: 1, drifts: true })
    expect(judge(times(10, 11), 2 * index)).toMatchObject({ shifted: 0, drifts: false })
  })

  it('lies outside beyond the smallest and the largest value of training, not at them', () => {
    expect(judge([0, 10, -0.1, 10.1, ...times(6, 5)], 1).features[0]!.outside).toBe(0.2)
  })
})

describe('a feature that remembers', () => {
  it('drifts where most candles lie where training has shown nothing, though its band is wide', () => {
    // A level that wanders between −1 and 1 in training, and stays at 1.2.
    const trained = Float64Array.from({ length: 4500 }, (_, i) => Math.sin(i / 250))
    const others = slowColumns(9, 3, 4500)
    const profile = profileTraining(names(4), [trained, ...others], 450)
    const recent = [new Float64Array(450).fill(1.2), ...others.map((column) => column.slice(2000, 2450))]
    const result = featureDrift(profile, recent)
    const level = result.features.find(({ name }) => name === 'f0')!
    expect(level).toMatchObject({ shifted: true, outside: 1 })
    expect(level.index).toBeLessThan(3 * level.chanceBand)
    expect(result.drifts).toBe(true)
    expect(featureVerdict(result)).toMatch(/^1 of 4 features has shifted, one of them mostly to where training/)
  })
})

describe('in words', () => {
  const spread = (median: number, low: number, high: number) => ({ median, low, high, min: low, max: high })
  const shift = { index: 1, chanceBand: 0.2, shifted: true }

  it('says the median, the middle and what lies outside, then and now', () => {
    const was = spread(-0.2, -1.5, 1.6)
    expect(shiftWords({ ...shift, name: 'volume_z', was, now: spread(0.9, -0.4, 2.84), outside: 0.14 })).toBe(
      'median −0.2 → 0.9; the middle 90% −1.5 to 1.6 → −0.4 to 2.8; 14% of candles lie outside what it was trained on',
    )
  })

  it('says volatility in percent of a candle', () => {
    const [was, now] = [Math.log(0.005), Math.log(0.01)]
    expect(
      shiftWords({ ...shift, name: 'log_sigma', was: spread(was, was, now), now: spread(now, now, now), outside: 0 }),
    ).toBe('median 0.5% → 1%; the middle 90% 0.5% to 1% → 1% to 1%; no candle lies outside what it was trained on')
  })

  it('names what is known by its meaning', () => {
    expect(inputLabel('volume_z', '1h')).toMatch(/^Volume /)
    expect(inputLabel('close', '1h')).toBe('Close price')
  })
})

describe('the columns of candles', () => {
  const candles = generateCandles({ candles: 4000, seed: 2 })
  const inputs = driftingInputs(['return_1', 'hour_sin', 'log_sigma', 'weekday_cos', 'close'])

  it('leave out what a clock says', () => {
    expect(inputs).toEqual(['return_1', 'log_sigma', 'close'])
  })

  it('leave out the warm-up, keep the range, and take the newest', () => {
    const all = driftColumns(candles, '1h', inputs, { fromMs: 0, toMs: Number.POSITIVE_INFINITY })
    expect(all.map((column) => column.length)).toEqual([3901, 3901, 3901])
    expect([...all[2]!]).toEqual([...candles.close.subarray(99)])
    const range = { fromMs: candles.ts[200]!, toMs: candles.ts[299]! }
    expect(driftColumns(candles, '1h', inputs, range).map((column) => column.length)).toEqual([100, 100, 100])
    expect([...driftColumns(candles, '1h', inputs, range, 10)[2]!]).toEqual([...candles.close.subarray(290, 300)])
  })

  it('are the same to the bit with only so many candles before them as they may look at', () => {
    const range = { fromMs: candles.ts[3900]!, toMs: Number.POSITIVE_INFINITY }
    const from = 3900 - HISTORY_CANDLES
    const part = { ...candles, length: 4000 - from } as Record<string, unknown>
    for (const name of ['ts', 'open', 'high', 'low', 'close', 'volume'] as const)
      part[name] = candles[name].subarray(from)
    expect(driftColumns(part as unknown as typeof candles, '1h', inputs, range)).toEqual(
      driftColumns(candles, '1h', inputs, range),
    )
  })

  it('have shifted in volatility in a wilder market, in words with both levels', () => {
    const wild = generateCandles({ candles: 4000, seed: 2, clusters: 0.4 })
    const all = { fromMs: 0, toMs: Number.POSITIVE_INFINITY }
    const profile = profileTraining(inputs, driftColumns(candles, '1h', inputs, all), 300)
    const { features } = featureDrift(profile, driftColumns(wild, '1h', inputs, all, 300))
    const sigma = features.find(({ name }) => name === 'log_sigma')!
    expect(sigma.shifted).toBe(true)
    expect(shiftWords(sigma)).toMatch(/^median 0\.\d+% → [\d.]+%; /)
  })
})

it('a spread is the median, the middle nine tenths and the ends', () => {
  expect(spreadOf(Float64Array.from({ length: 101 }, (_, i) => 100 - i))).toEqual({
    median: 50,
    low: 5,
    high: 95,
    min: 0,
    max: 100,
  })
})
