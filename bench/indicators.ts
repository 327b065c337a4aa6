/**
 * Every indicator of the engine over 500,000 candles, against loops written by hand for that indicator alone (sliding
 * sums that may drift, no checks), and the value at the last candle against its naive definition.
 *
 *   node bench/indicators.ts
 */
import { ema, wilder } from '@shapecast/engine/indicators/averages'
import { bollinger, macd } from '@shapecast/engine/indicators/bands'
import { rsi, ultimateOscillator } from '@shapecast/engine/indicators/oscillators'
import { rollingMoments, sma, zScore } from '@shapecast/engine/indicators/rolling'
import { atr, ewmaVolatility, logMeanAbs } from '@shapecast/engine/indicators/volatility'
import { generatedCandles } from './lib/minute-candles.ts'
import * as naive from './lib/naive-indicators.ts'
import * as plain from './lib/plain-indicators.ts'
import { alternate } from './lib/rounds.ts'

const N = 500_000
const { high, low, close } = generatedCandles(N)
const returns = plain.logReturns(close)
const last = (x: Float64Array) => x[N - 1]!

type Case = readonly [engine: () => Float64Array, hand: () => Float64Array, definition: () => number]
const cases: Record<string, Case> = {
  'sma 20': [() => sma(close, 20), () => plain.mean(close, 20), () => naive.sum(close, 20) / 20],
  'ema 50': [() => ema(close, 50), () => plain.ema(close, 50, 2 / 51), () => naive.ema(close, 50, 2 / 51)],
  'wilder 14': [() => wilder(close, 14), () => plain.ema(close, 14, 1 / 14), () => naive.ema(close, 14, 1 / 14)],
  'std 20': [() => rollingMoments(close, 20).std, () => plain.std(close, 20), () => naive.std(close, 20)],
  'z-score 20': [() => zScore(close, 20), () => plain.zScore(close, 20), () => naive.zScore(close, 20)],
  'bollinger 20': [() => bollinger(close).upper, () => plain.bollingerUpper(close, 20), () => naive.upper(close, 20)],
  'macd 12 26 9': [() => macd(close).histogram, () => plain.macdHistogram(close), () => naive.macdHistogram(close)],
  'rsi 14': [() => rsi(close), () => plain.rsi(close, 14), () => naive.rsi(close, 14)],
  'atr 14': [() => atr(high, low, close), () => plain.atr(high, low, close, 14), () => naive.atr(high, low, close, 14)],
  'ultimate oscillator': [
    () => ultimateOscillator(high, low, close),
    () => plain.ultimate(high, low, close),
    () => naive.ultimate(high, low, close),
  ],
  'ewma volatility 0.97': [
    () => ewmaVolatility(returns, 0.97),
    () => plain.ewma(returns, 0.97),
    () => naive.ewma(returns, 0.97),
  ],
  'log mean |r| 24': [
    () => logMeanAbs(returns, 24),
    () => plain.logMeanAbs(returns, 24),
    () => naive.logMeanAbs(returns, 24),
  ],
}

let engineMs = 0
let handMs = 0
let worst = 0
console.log(`${N} candles; ms: medians of alternating rounds; error: relative, at the last candle, to the definition`)
for (const [name, [engine, hand, definition]] of Object.entries(cases)) {
  const expected = definition()
  const error = Math.abs(last(engine()) / expected - 1)
  const drift = Math.abs(last(hand()) / expected - 1)
  const times = alternate({ engine, hand }, { rounds: 11, warmUps: 4 })
  engineMs += times.engine
  handMs += times.hand
  worst = Math.max(worst, error)
  console.log(
    `${name.padEnd(24)} engine ${times.engine.toFixed(2).padStart(6)}  by hand ${times.hand.toFixed(2).padStart(6)}` +
      `  ratio ${(times.engine / times.hand).toFixed(2)}  error ${error.toExponential(1)} (by hand ${drift.toExponential(1)})`,
  )
}
console.log(
  `all: engine ${engineMs.toFixed(1)} ms, by hand ${handMs.toFixed(1)} ms, ratio ${(engineMs / handMs).toFixed(2)} (at most 1.5)`,
)
console.log(`largest error ${worst.toExponential(1)} (at most 1e-9)`)
if (!(worst <= 1e-9)) process.exitCode = 1
