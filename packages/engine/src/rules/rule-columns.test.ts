import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candles, copyCandles, sliceCandles } from '../candles.ts'
import { DECISION } from '../decisions.ts'
import { createRandom } from '../random.ts'
import { arbitraryRules } from '../testing/arbitrary-rules.ts'
import { HOUR, hourly, type Ohlc, wildCandles } from '../testing/small-runs.ts'
import { loadedCandles } from './look-back.ts'
import { parseRule } from './parse.ts'
import { createRuleColumns, type RuleData, type RuleForecast } from './rule-columns.ts'
import { type ForecastAtClose, ruleDecisionAt, ruleDecisions } from './rule-decisions.ts'
import { conditionsOf, type Rule } from './tree.ts'

const truthOf = (condition: string, data: RuleData) =>
  [...createRuleColumns(data).truth(parseRule(`enter: ${condition} time: 1`).enter!)]
    .map((code) => 'FT?'[code])
    .join('')
const onCloses = (condition: string, ...closes: number[]) =>
  truthOf(condition, {
    candles: hourly(...closes.map((close): Ohlc => [close, close + 1, close - 1, close])),
    timeframe: '1h',
    forecast: null,
  })

/** Values at each candle of an expression, to six digits. */
const valuesOf = (expression: string, candles: Candles) => {
  const { enter } = parseRule(`enter: ${expression} > 0 time: 1`)
  const columns = createRuleColumns({ candles, timeframe: '1h', forecast: null })
  return [...columns.value((enter as Extract<typeof enter, { kind: 'compare' }>).left)].map((value) =>
    Number(value.toPrecision(6)),
  )
}

describe('conditions', () => {
  it.each([
    ['close > 2', [1, 2, 3], 'FFT'],
    ['close >= close[1]', [1, 2, 2, 1], '?TTF'],
    ['close crosses above 2', [1, 2, 3, 3, 2, 3], '?FTFFT'],
    ['close crosses below 2', [3, 2, 1, 1], '?FTF'],
    ['(close > 2)[2]', [1, 3, 1, 1], '??FT'],
    ['close > 200%', [1, 2, 3], 'FFT'],
    ['abs(-close) == max(close, min(close, 9))', [1, 2], 'TT'],
    ['close / 0 > 1', [1, 2], '??'],
    ['hour == 1 or weekday != 4', [1, 2], 'TF'],
    ['day == 1', [1], 'T'],
    ['p_up > 0.5 or median(1) > close', [1], '?'],
  ])('%s at %j is %s', (condition, closes, truth) => {
    expect(onCloses(condition, ...closes)).toBe(truth)
  })

  it('what is unknown stays unknown, also under not, unless the rest decides', () => {
    expect(onCloses('close > sma(3)', 1, 2, 3)).toBe('??T')
    expect(onCloses('not close > sma(3)', 1, 2, 3)).toBe('??F')
    expect(onCloses('close > sma(3) or close == 2', 1, 2, 3)).toBe('?TT')
    expect(onCloses('close > sma(3) and close == 2', 1, 2, 3)).toBe('F?F')
  })

  it.each([
    ['enter: close > 1 exit: close < 1', 2, 'BUY'],
    ['enter: close > 1 exit: close > 1', 2, 'CLOSE_LONG'],
    ['enter: close > 2 exit: close > 3 short: close > 2', 2, 'HOLD'],
    ['enter: close > 1 exit: close > 3 short: close > 1', 2, 'HOLD'],
    ['enter: close > 3 exit: close > 1 short: close > 1', 2, 'SELL'],
    ['enter: close > 1 exit: close > 3 short: close > 1 cover: close > 1', 2, 'BUY'],
    ['enter: close > 1 exit: close > 1 short: close > 1 cover: close > 1', 2, 'CLOSE'],
    ['enter: close > 1 exit: close > 3 short: close > 3 cover: close > 3', 2, 'BUY'],
    ['enter: close > 3 exit: close > 3 short: close > 3 cover: close > 1', 2, 'CLOSE_SHORT'],
    ['enter: close > sma(2) exit: close < 3', 2, 'CLOSE_LONG'],
  ] as const)('%s at a close of %d is %s', (text, close, decision) => {
    const data: RuleData = { candles: hourly([close, close, close, close]), timeframe: '1h', forecast: null }
    expect([...ruleDecisions(parseRule(text), createRuleColumns(data))]).toEqual([DECISION[decision]])
  })

  it('looks at what the model said, where it said something', () => {
    const candles = hourly([1, 1, 1, 1], [1, 1, 1, 1])
    const forecast: RuleForecast = {
      pUp: Float64Array.of(0.6, Number.NaN),
      sigma: Float64Array.of(0.5, Number.NaN),
      edgeBps: Float64Array.of(-3, Number.NaN),
      medians: [Float64Array.of(1.1, Number.NaN), Float64Array.of(1.2, Number.NaN)],
    }
    const data: RuleData = { candles, timeframe: '1h', forecast }
    for (const condition of ['p_up > 55%', 'sigma < 60%', 'edge < 0', 'median(1) > close', 'median(2) > median(1)'])
      expect(truthOf(condition, data), condition).toBe('T?')
  })
})

describe('indicators', () => {
  const candles = hourly([1, 3, 1, 2], [2, 5, 2, 4], [4, 6, 3, 3], [3, 9, 3, 8])
  it.each([
    ['roc(2)', [Number.NaN, Number.NaN, 0.5, 1]],
    ['highest(close, 2)', [Number.NaN, 4, 4, 8]],
    ['lowest(2)', [Number.NaN, 2, 3, 3]],
    ['donchian_upper(3)', [Number.NaN, Number.NaN, 6, 9]],
    ['donchian_lower(3)', [Number.NaN, Number.NaN, 1, 2]],
    // (8 − 2) / (9 − 2)
    ['stochastic_k(3)', [Number.NaN, Number.NaN, 40, 85.7143]],
    ['stochastic_d(3, 1, 2)', [Number.NaN, Number.NaN, Number.NaN, 62.8571]],
    ['williams_r(3)', [Number.NaN, Number.NaN, -60, -14.2857]],
    // Typical prices 2, 3.66667, 4, 6.66667: of the last two the mean is 5.33333, its mean deviation 1.33333.
    ['cci(2)', [Number.NaN, 66.6667, 66.6667, 66.6667]],
    // Rising money 3.66667 + 4, 4 + 6.66667; none falls.
    ['mfi(2)', [Number.NaN, Number.NaN, 100, 100]],
    ['stdev(2)', [Number.NaN, 1, 0.5, 2.5]],
    // The highs rise by 2, 1 and 3, the lows never fall: 1.5 of a true range of 3, then 2.25 of 4.5.
    ['plus_di(2)', [Number.NaN, Number.NaN, 50, 50]],
    ['minus_di(2)', [Number.NaN, Number.NaN, 0, 0]],
    ['adx(2)', [Number.NaN, Number.NaN, Number.NaN, 100]],
    ['atr(2)', [Number.NaN, Number.NaN, 3, 4.5]],
    ['vol(2)', [Number.NaN, Number.NaN, 49.8, 67.6]],
  ])('%s of four candles, worked out by hand', (expression, expected) => {
    const values = valuesOf(expression, candles)
    for (const [i, value] of expected.entries())
      if (Number.isNaN(value)) expect(values[i]).toBeNaN()
      else expect(values[i]).toBeCloseTo(value, expression === 'vol(2)' ? 0 : 3)
  })

  it('begins again behind an unknown value', () => {
    expect(onCloses('sma(1 / (close - 2), 2) > 0', 3, 3, 2, 3, 3)).toBe('?T??T')
  })
})

interface Scenario {
  readonly data: RuleData
  readonly rule: Rule
  readonly random: ReturnType<typeof createRandom>
}

/** Wild hours with gaps and silent candles, that begin anywhere, and a model that now and then says nothing. */
function wildData(seed: number): RuleData {
  const random = createRandom(seed)
  const candles = wildCandles(random, CANDLES, 0.01)
  const shift = HOUR * random.below(5000)
  for (let i = 0; i < CANDLES; i++) {
    candles.ts[i]! += shift
    candles.volume[i] = random.below(4)
  }
  const said = () => Float64Array.from(candles.ts, () => (random.next() < 0.02 ? Number.NaN : random.next()))
  const medians = Array.from({ length: 8 }, () => said().map((x, i) => candles.close[i]! * (0.99 + 0.02 * x)))
  return { candles, timeframe: '1h', forecast: { pUp: said(), sigma: said(), edgeBps: said(), medians } }
}
const CANDLES = 1400
const MARKETS = Array.from({ length: 40 }, (_, seed) => wildData(seed))

const scenarios: fc.Arbitrary<Scenario> = fc
  .record({ rule: arbitraryRules, data: fc.constantFrom(...MARKETS), seed: fc.integer() })
  .map(({ rule, data, seed }) => ({ rule, data, random: createRandom(seed) }))

/** What the model of some data says at one candle. */
const saidAt = ({ forecast }: RuleData, i: number): ForecastAtClose => {
  const { pUp, sigma, edgeBps, medians } = forecast!
  return { pUp: pUp[i]!, sigma: sigma[i]!, edgeBps: edgeBps[i]!, medians: medians.map((median) => median[i]!) }
}
const truths = (rule: Rule, data: RuleData) => {
  const columns = createRuleColumns(data)
  return conditionsOf(rule).map((condition) => columns.truth(condition))
}

describe('any rule', () => {
  it(
    'decides at a candle, from the candles that a bot loads, as in a column over all there are',
    { timeout: 60_000 },
    () =>
      fc.assert(
        fc.property(scenarios, ({ rule, data, random }) => {
          const column = ruleDecisions(rule, createRuleColumns(data))
          const i = 1100 + random.below(300)
          expect(ruleDecisionAt(rule, data, i, saidAt(data, i))).toBe(column[i])
          const loaded = sliceCandles(data.candles, Math.max(0, i - loadedCandles(rule)), i + 1)
          const live = { candles: loaded, timeframe: data.timeframe }
          expect(ruleDecisionAt(rule, live, loaded.length - 1, saidAt(data, i))).toBe(column[i])
        }),
        { numRuns: 500 },
      ),
  )

  it('does not change when the future does', { timeout: 60_000 }, () =>
    fc.assert(
      fc.property(scenarios, ({ rule, data, random }) => {
        const before = truths(rule, data)
        const at = 1 + random.below(CANDLES - 1)
        const candles = copyCandles(data.candles, 0)
        for (const column of [candles.open, candles.high, candles.low, candles.close, candles.volume])
          for (let i = at; i < column.length; i++) column[i]! *= 1 + random.next()
        const after = truths(rule, { ...data, candles })
        for (const [k, truth] of after.entries()) expect(truth.subarray(0, at)).toEqual(before[k]!.subarray(0, at))
      }),
      { numRuns: 150 },
    ),
  )
})
