/** Indicators as one writes them down in a hurry: sliding sums, one loop each, no care for rounding or missing values. */
const column = (length: number) => new Float64Array(length).fill(Number.NaN)

export function mean(x: Float64Array, p: number): Float64Array {
  const out = column(x.length)
  let s = 0
  for (let i = 0; i < x.length; i++) {
    s += x[i]!
    if (i >= p) s -= x[i - p]!
    if (i >= p - 1) out[i] = s / p
  }
  return out
}

export function ema(x: Float64Array, p: number, weight: number): Float64Array {
  const out = column(x.length)
  let e = 0
  for (let i = 0; i < p; i++) e += x[i]! / p
  out[p - 1] = e
  for (let i = p; i < x.length; i++) {
    e += weight * (x[i]! - e)
    out[i] = e
  }
  return out
}

export function std(x: Float64Array, p: number): Float64Array {
  const out = column(x.length)
  let s = 0
  let q = 0
  for (let i = 0; i < x.length; i++) {
    s += x[i]!
    q += x[i]! * x[i]!
    if (i >= p) {
      s -= x[i - p]!
      q -= x[i - p]! * x[i - p]!
    }
    if (i >= p - 1) out[i] = Math.sqrt(q / p - (s / p) * (s / p))
  }
  return out
}

export function zScore(x: Float64Array, p: number): Float64Array {
  const out = column(x.length)
  let s = 0
  let q = 0
  for (let i = 0; i < x.length; i++) {
    s += x[i]!
    q += x[i]! * x[i]!
    if (i >= p) {
      s -= x[i - p]!
      q -= x[i - p]! * x[i - p]!
    }
    if (i < p - 1) continue
    const m = s / p
    const d = Math.sqrt(q / p - m * m)
    out[i] = (x[i]! - m) / d
  }
  return out
}

export function bollingerUpper(x: Float64Array, p: number): Float64Array {
  const upper = column(x.length)
  const middle = column(x.length)
  const lower = column(x.length)
  let s = 0
  let q = 0
  for (let i = 0; i < x.length; i++) {
    s += x[i]!
    q += x[i]! * x[i]!
    if (i >= p) {
      s -= x[i - p]!
      q -= x[i - p]! * x[i - p]!
    }
    if (i < p - 1) continue
    const m = s / p
    const d = Math.sqrt(q / p - m * m)
    upper[i] = m + 2 * d
    middle[i] = m
    lower[i] = m - 2 * d
  }
  return upper
}

export function macdHistogram(x: Float64Array): Float64Array {
  const line = column(x.length)
  const signal = column(x.length)
  const histogram = column(x.length)
  let fast = 0
  let slow = 0
  let s = 0
  for (let i = 0; i < x.length; i++) {
    if (i < 12) fast += x[i]! / 12
    else fast += (2 / 13) * (x[i]! - fast)
    if (i < 26) slow += x[i]! / 26
    else slow += (2 / 27) * (x[i]! - slow)
    if (i < 25) continue
    line[i] = fast - slow
    if (i < 34) s += line[i]! / 9
    else s += (2 / 10) * (line[i]! - s)
    if (i < 33) continue
    signal[i] = s
    histogram[i] = line[i]! - s
  }
  return histogram
}

export function rsi(x: Float64Array, p: number): Float64Array {
  const out = column(x.length)
  let up = 0
  let down = 0
  for (let i = 1; i < x.length; i++) {
    const change = x[i]! - x[i - 1]!
    const u = Math.max(change, 0)
    const d = Math.max(-change, 0)
    if (i <= p) {
      up += u / p
      down += d / p
    } else {
      up = (up * (p - 1) + u) / p
      down = (down * (p - 1) + d) / p
    }
    if (i >= p) out[i] = 100 - 100 / (1 + up / down)
  }
  return out
}

export function atr(high: Float64Array, low: Float64Array, close: Float64Array, p: number): Float64Array {
  const out = column(close.length)
  let a = 0
  for (let i = 1; i < close.length; i++) {
    const range = Math.max(high[i]!, close[i - 1]!) - Math.min(low[i]!, close[i - 1]!)
    if (i <= p) a += range / p
    else a += (range - a) / p
    if (i >= p) out[i] = a
  }
  return out
}

export function ultimate(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const n = close.length
  const out = column(n)
  const bp = new Float64Array(n)
  const tr = new Float64Array(n)
  let [b7, b14, b28, t7, t14, t28] = [0, 0, 0, 0, 0, 0]
  for (let i = 1; i < n; i++) {
    const bottom = Math.min(low[i]!, close[i - 1]!)
    const b = close[i]! - bottom
    const t = Math.max(high[i]!, close[i - 1]!) - bottom
    bp[i] = b
    tr[i] = t
    b7 += b - (i > 7 ? bp[i - 7]! : 0)
    t7 += t - (i > 7 ? tr[i - 7]! : 0)
    b14 += b - (i > 14 ? bp[i - 14]! : 0)
    t14 += t - (i > 14 ? tr[i - 14]! : 0)
    b28 += b - (i > 28 ? bp[i - 28]! : 0)
    t28 += t - (i > 28 ? tr[i - 28]! : 0)
    if (i >= 28) out[i] = (100 * ((4 * b7) / t7 + (2 * b14) / t14 + b28 / t28)) / 7
  }
  return out
}

export function logReturns(x: Float64Array): Float64Array {
  const out = column(x.length)
  for (let i = 1; i < x.length; i++) out[i] = Math.log(x[i]! / x[i - 1]!)
  return out
}

export function ewma(r: Float64Array, lambda: number): Float64Array {
  const out = column(r.length)
  let v = r[1]! * r[1]!
  for (let i = 1; i < r.length; i++) {
    v = lambda * v + (1 - lambda) * r[i]! * r[i]!
    out[i] = Math.sqrt(v)
  }
  return out
}

export function logMeanAbs(r: Float64Array, p: number): Float64Array {
  const out = column(r.length)
  let s = 0
  for (let i = 1; i < r.length; i++) {
    s += Math.abs(r[i]!)
    if (i > p) s -= Math.abs(r[i - p]!)
    if (i >= p) out[i] = Math.log(s / p)
  }
  return out
}
