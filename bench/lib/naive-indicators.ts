/** The last value of each indicator from its definition, without any sliding: slow and plain to check. */
const window = (x: Float64Array, p: number) => x.slice(-p)

export const sum = (x: Float64Array, p: number): number => {
  let s = 0
  for (const v of window(x, p)) s += v
  return s
}

export const std = (x: Float64Array, p: number): number => {
  const m = sum(x, p) / p
  let s = 0
  for (const v of window(x, p)) s += (v - m) ** 2
  return Math.sqrt(s / p)
}

export const zScore = (x: Float64Array, p: number): number => (x[x.length - 1]! - sum(x, p) / p) / std(x, p)
export const upper = (x: Float64Array, p: number): number => sum(x, p) / p + 2 * std(x, p)

/** Σ weight × (1 − weight)ᵏ × x[last − k]: after half a million values the seed no longer counts. */
export const ema = (x: Float64Array, _p: number, weight: number): number => {
  let s = 0
  for (let k = Math.min(x.length - 1, 5000); k >= 0; k--) s += weight * (1 - weight) ** k * x[x.length - 1 - k]!
  return s
}

export const macdHistogram = (x: Float64Array): number => {
  const line = Float64Array.from({ length: 600 }, (_, k) => {
    const until = x.subarray(0, x.length - 599 + k)
    return ema(until, 12, 2 / 13) - ema(until, 26, 2 / 27)
  })
  return line[line.length - 1]! - ema(line, 9, 2 / 10)
}

export const rsi = (x: Float64Array, p: number): number => {
  const changes = x.slice(1).map((v, i) => v - x[i]!)
  const gains = ema(
    changes.map((c) => Math.max(c, 0)),
    p,
    1 / p,
  )
  const losses = ema(
    changes.map((c) => Math.max(-c, 0)),
    p,
    1 / p,
  )
  return 100 - 100 / (1 + gains / losses)
}

const ranges = (high: Float64Array, low: Float64Array, close: Float64Array) =>
  close
    .slice(1)
    .map((_c, i) =>
      Math.max(high[i + 1]! - low[i + 1]!, Math.abs(high[i + 1]! - close[i]!), Math.abs(low[i + 1]! - close[i]!)),
    )

export const atr = (high: Float64Array, low: Float64Array, close: Float64Array, p: number): number =>
  ema(ranges(high, low, close), p, 1 / p)

export const ultimate = (high: Float64Array, low: Float64Array, close: Float64Array): number => {
  const range = ranges(high, low, close)
  const pressure = close.slice(1).map((c, i) => c - Math.min(low[i + 1]!, close[i]!))
  const share = (p: number) => sum(pressure, p) / sum(range, p)
  return (100 * (4 * share(7) + 2 * share(14) + share(28))) / 7
}

export const ewma = (r: Float64Array, lambda: number): number =>
  Math.sqrt(
    ema(
      r.map((v) => v * v),
      1,
      1 - lambda,
    ),
  )

export const logMeanAbs = (r: Float64Array, p: number): number => Math.log(sum(r.map(Math.abs), p) / p)
