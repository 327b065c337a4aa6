/**
 * The model's feature table over 500,000 candles against the same columns in hand-written loops (one recursion from the
 * first candle, running sums, no blocks, no checks), alternating in one run.
 *
 *   node bench/features.ts [candles]
 */
import type { Candles } from '@shapecast/engine/candles'
import { featureNames } from '@shapecast/ml/features/feature-columns'
import { buildFeatureTable } from '@shapecast/ml/features/feature-table'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { median } from './lib/rounds.ts'

const ROUNDS = 5
const candles = generateCandles({ candles: Number(process.argv[2] ?? 500_000), seed: 1 })

type Column = Float64Array<ArrayBuffer>
type Columns = [Column, Column, Column, Column, Column, Column, Column, Column]

/** Every feature and volatility input by plain loops; the same order as the product's. */
function plainColumns({ ts, open, high, low, close, volume, length: n }: Candles): Float64Array[] {
  const column = (): Column => new Float64Array(n)
  const [r, abs, log, sigma, slow, atr, gain, loss] = Array.from({ length: 8 }, column) as Columns
  const [pressure, range, relative] = [column(), column(), column()]
  let [s1, w1, s2, w2] = [0, 0, 0, 0]
  log[0] = Math.log(close[0]!)
  for (let i = 1; i < n; i++) {
    const c = close[i]!
    const before = close[i - 1]!
    const change = c - before
    log[i] = Math.log(c)
    r[i] = Math.log(c / before)
    abs[i] = Math.abs(r[i]!)
    const square = r[i]! * r[i]!
    s1 = 0.97 * s1 + square
    w1 = 0.97 * w1 + 1
    s2 = 0.995 * s2 + square
    w2 = 0.995 * w2 + 1
    sigma[i] = Math.sqrt(s1 / w1)
    slow[i] = Math.sqrt(s2 / w2)
    const top = Math.max(high[i]!, before)
    const bottom = Math.min(low[i]!, before)
    range[i] = top - bottom
    pressure[i] = c - bottom
    const k = i < 14 ? 1 / i : 1 / 14
    atr[i] = atr[i - 1]! + k * (range[i]! - atr[i - 1]!)
    gain[i] = gain[i - 1]! + k * (Math.max(change, 0) - gain[i - 1]!)
    loss[i] = loss[i - 1]! + k * (Math.max(-change, 0) - loss[i - 1]!)
  }
  const mean = (x: Float64Array, period: number): Float64Array => {
    const out = column()
    let sum = 0
    for (let i = 0; i < n; i++) {
      sum += x[i]!
      if (i >= period) sum -= x[i - period]!
      out[i] = sum / period
    }
    return out
  }
  const deviation = (x: Float64Array, average: Float64Array, period: number): Float64Array => {
    const out = column()
    let sum = 0
    const anchor = x[period]!
    for (let i = 0; i < n; i++) {
      sum += (x[i]! - anchor) ** 2
      if (i >= period) sum -= (x[i - period]! - anchor) ** 2
      out[i] = Math.sqrt(Math.max(0, sum / period - (average[i]! - anchor) ** 2))
    }
    return out
  }
  const ema = (x: Float64Array, period: number): Float64Array => {
    const out = column()
    let average = x[0]!
    for (let i = 0; i < n; i++) {
      average += (2 / (period + 1)) * (x[i]! - average)
      out[i] = average
    }
    return out
  }
  const map = (f: (i: number) => number): Float64Array => {
    const out = column()
    for (let i = 99; i < n; i++) out[i] = f(i)
    return out
  }
  const volumeMean = mean(volume, 48)
  for (let i = 0; i < n; i++) relative[i] = Math.log(volume[i]! / volumeMean[i]! + 0.01)
  const relativeMean = mean(relative, 48)
  const relativeSd = deviation(relative, relativeMean, 48)
  const bandMean = mean(log, 20)
  const bandSd = deviation(log, bandMean, 20)
  const [e12, e26, e20, e50] = [ema(log, 12), ema(log, 26), ema(log, 20), ema(log, 50)]
  const line = map((i) => e12[i]! - e26[i]!)
  const signal = ema(line, 9)
  const [p7, p14, p28] = [mean(pressure, 7), mean(pressure, 14), mean(pressure, 28)]
  const [r7, r14, r28] = [mean(range, 7), mean(range, 14), mean(range, 28)]
  const volumeZ = map((i) => (relative[i]! - relativeMean[i]!) / relativeSd[i]!)
  const realised = mean(abs, 24)
  const hour = map((i) => (ts[i]! % 86_400_000) / 3_600_000)
  const day = map((i) => (Math.floor(ts[i]! / 86_400_000) + 3) % 7)
  const moves = [1, 4, 12, 24, 96].map((period) => {
    const m = mean(abs, period)
    return map((i) => Math.log(Math.max(m[i]!, 0.02 * sigma[i]!)))
  })
  return [
    ...[1, 2, 3, 6, 12, 24].map((lag) => {
      const scale = Math.sqrt(lag)
      return map((i) => (log[i]! - log[i - lag]!) / (sigma[i]! * scale))
    }),
    map((i) => Math.log(realised[i]! / sigma[i]! + 0.01)),
    map((i) => Math.log(high[i]! / low[i]!) / sigma[i]!),
    map((i) => (high[i]! > low[i]! ? (close[i]! - low[i]!) / (high[i]! - low[i]!) - 0.5 : 0)),
    map((i) => (high[i]! > low[i]! ? (close[i]! - open[i]!) / (high[i]! - low[i]!) : 0)),
    volumeZ,
    map((i) => (100 * gain[i]!) / (gain[i]! + loss[i]!)),
    map((i) => (log[i]! - bandMean[i]!) / bandSd[i]!),
    map((i) => (100 * ((4 * p7[i]!) / r7[i]! + (2 * p14[i]!) / r14[i]! + p28[i]! / r28[i]!)) / 7),
    map((i) => (log[i]! - e20[i]!) / (sigma[i]! * Math.sqrt(20))),
    map((i) => (log[i]! - e50[i]!) / (sigma[i]! * Math.sqrt(50))),
    map((i) => Math.log(bandSd[i]! / sigma[i]! + 0.01)),
    map((i) => line[i]! / sigma[i]!),
    map((i) => (line[i]! - signal[i]!) / sigma[i]!),
    map((i) => Math.log(atr[i]! / close[i]! / sigma[i]! + 0.01)),
    map((i) => Math.log(sigma[i]! / slow[i]!)),
    map((i) => Math.log(sigma[i]!)),
    map((i) => Math.log(slow[i]!)),
    map((i) => Math.sin((2 * Math.PI * hour[i]!) / 24)),
    map((i) => Math.cos((2 * Math.PI * hour[i]!) / 24)),
    map((i) => Math.sin((2 * Math.PI * day[i]!) / 7)),
    map((i) => Math.cos((2 * Math.PI * day[i]!) / 7)),
    ...moves,
    map((i) => Math.log(sigma[i]!)),
    map((i) => Math.log(slow[i]!)),
    map((i) => Math.log(Math.max(Math.log(high[i]! / low[i]!), 0.02 * sigma[i]!))),
    map((i) => Math.log(Math.max(atr[i]! / close[i]!, 0.02 * sigma[i]!))),
    volumeZ,
    ...Array.from({ length: 23 }, (_, h) => map((i) => (Math.floor(hour[i]!) === h + 1 ? 1 : 0))),
    map((i) => (day[i]! >= 5 ? 1 : 0)),
  ]
}

const clock = (work: () => Float64Array[]): { ms: number; columns: Float64Array[] } => {
  const start = performance.now()
  const columns = work()
  return { ms: performance.now() - start, columns }
}
const product = (): Float64Array[] => {
  const table = buildFeatureTable(candles, '1h')
  return [...table.features, ...table.harInputs]
}
const times: { product: number[]; plain: number[] } = { product: [], plain: [] }
let difference = 0
for (let round = 0; round < ROUNDS; round++) {
  const a = clock(product)
  const b = clock(() => plainColumns(candles))
  times.product.push(a.ms)
  times.plain.push(b.ms)
  const last = candles.length - 1
  // Averages without end begin anew in every block of the product's, so the slow volatility may differ by 0.995^500.
  featureNames('1h').forEach((name, c) => {
    if (!/slow/.test(name)) difference = Math.max(difference, Math.abs(a.columns[c]![last]! - b.columns[c]![last]!))
  })
}
const [fast, plain] = [median(times.product), median(times.plain)]
console.log(
  `${candles.length} candles, ${featureNames('1h').length} features and 34 volatility inputs, median of ${ROUNDS}`,
)
console.log(
  `feature table ${fast.toFixed(0)} ms, plain loops ${plain.toFixed(0)} ms, ratio ${(fast / plain).toFixed(2)}`,
)
console.log(`largest difference at the last candle (slow volatility aside): ${difference.toExponential(1)}`)
