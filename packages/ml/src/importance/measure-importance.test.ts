import { FeatureImportance } from '@shapecast/contracts/importance'
import { emptyCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import type { Predictions } from '../forecast/predictions.ts'
import type { InputColumns, LookedAt, TakenApart } from '../forecast/taken-apart.ts'
import { measureImportance } from './measure-importance.ts'

const N = 500
const FROM = 99
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
const SPREAD = [-1.6, -0.67, 0, 0.67, 1.6]
const STEP_MS = 3_600_000

/**
 * A market in which the coming return is 1 % × `signal`, plus noise of 0.5 %; beside it columns that say nothing of it. `rule`
 * is the model: what it expects of a candle in percent, from that candle's inputs.
 */
function planted(rule: (at: (name: string) => number) => number, lookedAt: readonly LookedAt[], seed = 5): TakenApart {
  const random = createRandom(seed)
  const draw = () => Float64Array.from({ length: N }, () => random.normal())
  const inputs: InputColumns = { signal: draw(), noise: draw(), ignored: draw(), twin: new Float64Array(N) }
  inputs.twin!.set(inputs.signal!)
  const candles = emptyCandles(N)
  let price = 100
  for (let i = 0; i < N; i++) {
    candles.ts[i] = i * STEP_MS
    candles.close[i] = price
    price *= Math.exp(0.01 * inputs.signal![i]! + 0.005 * random.normal())
  }
  return {
    candles,
    timeframeMs: STEP_MS,
    signalHorizon: 1,
    lookback: 1,
    from: FROM,
    to: N,
    rows: Int32Array.from({ length: N - FROM }, (_, k) => FROM + k),
    inputs,
    lookedAt,
    caveat: null,
    async forecastFrom(changed) {
      const expected = Float64Array.from({ length: N - FROM }, (_, k) => rule((name) => changed[name]![FROM + k]!))
      const unused = new Float64Array(N - FROM)
      return {
        from: FROM,
        to: N,
        // The noise is normal with half a percent: the probability that expected + noise is above 0, roughly.
        pUp: expected.map((e) => 1 / (1 + Math.exp(-3.4 * e))),
        signal: new Int8Array(N - FROM),
        confidence: unused,
        medians: {},
        edgeBps: unused,
        expectedMoveBps: unused,
        stopLoss: unused,
        quantilePrices: Float64Array.from({ length: (N - FROM) * 5 }, (_, k) => {
          const row = Math.floor(k / 5)
          return candles.close[FROM + row]! * Math.exp(0.01 * expected[row]! + 0.005 * SPREAD[k % 5]!)
        }),
        horizons: 1,
        quantiles: QUANTILES,
        signalHorizon: 1,
        threshold: 0.02,
        roundTripCostBps: 0,
      } satisfies Predictions
    },
    close: async () => {},
  }
}

const looked = (name: string, group: LookedAt['group']): LookedAt => ({ name, group, label: name, columns: [name] })
const ALL = [looked('signal', 'returns'), looked('noise', 'volume'), looked('ignored', 'calendar')]
/** Leans on the signal, and a little on a column that says nothing. */
const leaning = (at: (name: string) => number) => at('signal') + 0.02 * at('noise')

describe('permutation importance', () => {
  it('finds the one input that matters, for the fan and for the direction, and nothing in the others', async () => {
    const found = await measureImportance(planted(leaning, ALL), { seed: 3 })
    const [signal, ...others] = found.features
    expect(signal!.name).toBe('signal')
    expect(signal!.verdict).toBe('Matters for the fan and the direction.')
    // Shuffled, the forecast is off by the difference of two normals: √2 × 1 % on average where it was off by 0.5 %.
    expect(signal!.pinballBps.mean).toBeGreaterThan(found.baseline.pinballBps)
    expect(signal!.logLoss.mean).toBeGreaterThan(0.5)
    for (const { verdict, pinballBps } of others) {
      expect(verdict).toBe('Indistinguishable from none.')
      expect(Math.abs(pinballBps.mean)).toBeLessThan(0.02 * signal!.pinballBps.mean)
    }
    expect(found.outcomes).toBe(400)
  })

  it('is not fooled by a model that leans on noise more often than 95 % intervals allow', async () => {
    const heavy = (at: (name: string) => number) => at('signal') + 0.2 * at('noise')
    let standsOut = 0
    for (let seed = 1; seed <= 60; seed++) {
      const { features } = await measureImportance(planted(heavy, [looked('noise', 'volume')], seed), { seed })
      if (features[0]!.verdict !== 'Indistinguishable from none.') standsOut++
    }
    // Two figures a market, so that 95 % intervals would let 2 × 60 / 20 = 6 stand out.
    expect(standsOut).toBeLessThanOrEqual(6)
  })

  it('gives an input that is not looked at exactly none', async () => {
    const { features } = await measureImportance(planted(leaning, ALL))
    const ignored = features.find(({ name }) => name === 'ignored')!
    expect(ignored.pinballBps).toEqual({ mean: 0, interval: [0, 0] })
    expect(ignored.logLoss).toEqual({ mean: 0, interval: [0, 0] })
  })

  it('says less of two inputs that say the same than of their group: shuffled together they lose it all', async () => {
    const both = [looked('signal', 'returns'), looked('twin', 'returns'), looked('noise', 'volume')]
    const apart = planted((at) => (at('signal') + at('twin')) / 2, both)
    const { features, groups } = await measureImportance(apart, { seed: 3 })
    const alone = features.filter(({ group }) => group === 'returns')
    const together = groups.find(({ name }) => name === 'returns')!
    expect(together.members).toEqual(['signal', 'twin'])
    for (const { pinballBps } of alone) expect(pinballBps.mean).toBeLessThan(0.7 * together.pinballBps.mean)
    // One model that reads the signal alone loses as much as this one loses by the group.
    const single = await measureImportance(
      planted((at) => at('signal'), ALL),
      { seed: 3 },
    )
    expect(together.pinballBps.mean).toBeCloseTo(single.features[0]!.pinballBps.mean, 9)
  })

  it('shuffles the columns of one thing alike', async () => {
    const clock: LookedAt = { ...looked('clock', 'calendar'), columns: ['signal', 'twin'] }
    // The model sees the difference of two equal columns: moved together it stays nothing.
    const { features } = await measureImportance(planted((at) => at('signal') - at('twin'), [clock]))
    expect(features[0]!.pinballBps).toEqual({ mean: 0, interval: [0, 0] })
  })

  it('is the same for the same seed and another for another, and a contract reply', async () => {
    const measure = (seed: number) => measureImportance(planted(leaning, ALL), { seed })
    const found = await measure(11)
    expect(await measure(11)).toEqual(found)
    expect((await measure(12)).features[0]!.pinballBps.mean).not.toBe(found.features[0]!.pinballBps.mean)
    expect(FeatureImportance.parse(found)).toEqual(found)
    expect(found).toMatchObject({ seed: 11, repeats: 5, horizon: 1, from: FROM * STEP_MS, to: 498 * STEP_MS })
  })

  it('ends where it is aborted, and where there is too little to judge by', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(measureImportance(planted(leaning, ALL), { signal: stop.signal })).rejects.toThrow('enough')
    const short = { ...planted(leaning, ALL), from: 450 }
    const made = await short.forecastFrom(short.inputs)
    const cut = {
      ...made,
      from: 450,
      pUp: made.pUp.subarray(351),
      quantilePrices: made.quantilePrices.subarray(351 * 5),
    }
    await expect(measureImportance({ ...short, forecastFrom: async () => cut })).rejects.toThrow(
      /at least 100 outcomes/,
    )
  })
})
