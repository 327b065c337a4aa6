/** Scores of past forecasts, oldest first, one row a candle; NaN if there is none. */
export interface ScoreTable {
  /** Open times in ms of the candles at whose close the forecasts were made. */
  ts: Float64Array
  /** [rows × horizons × INTERVALS]. */
  scores: Float64Array
}

/** The intervals that are corrected: their outer quantiles by index, and the share of outcomes that they promise. */
export const INTERVALS = [
  { low: 0, high: 4, level: 0.9 },
  { low: 1, high: 3, level: 0.5 },
] as const

/**
 * How far each outcome lies outside its interval (negative: inside), relative to the interval's width: the score of
 * conformalised quantile regression (Romano, Patterson and Candès, 2019), made free of scale as volatility changes.
 * @param quantiles forecast log returns, [rows × horizons × quantiles]
 * @param outcomes by horizon log returns; candle from + row
 */
export function conformalScores(
  quantiles: Float64Array,
  outcomes: readonly Float64Array[],
  from: number,
  rows: number,
  width: number,
): Float64Array {
  const horizons = outcomes.length
  const scores = new Float64Array(rows * horizons * INTERVALS.length)
  let at = 0
  for (let i = 0; i < rows; i++) {
    for (let h = 0; h < horizons; h++) {
      const q = (i * horizons + h) * width
      const y = outcomes[h]![from + i]!
      for (const { low, high } of INTERVALS) {
        const [a, b] = [quantiles[q + low]!, quantiles[q + high]!]
        scores[at++] = b > a ? Math.max(a - y, y - b) / (b - a) : Number.NaN
      }
    }
  }
  return scores
}

/** The bits of a NaN differ by how the machine came to it; as bytes, which are hashed, all are one. */
function setScore(view: DataView, at: number, score: number): void {
  if (!Number.isNaN(score)) view.setFloat64(at, score, true)
  else view.setBigUint64(at, 0x7ff8_0000_0000_0000n, true)
}

/** Rows as float64, little endian: the time, then the scores. */
export function packScores({ ts, scores }: ScoreTable): Uint8Array {
  const width = ts.length === 0 ? 0 : scores.length / ts.length
  const bytes = new Uint8Array(ts.length * (width + 1) * 8)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (let row = 0; row < ts.length; row++) {
    view.setFloat64(at, ts[row]!, true)
    at += 8
    for (let k = 0; k < width; k++, at += 8) setScore(view, at, scores[row * width + k]!)
  }
  return bytes
}

/** The rows of `packScores`, each with `width` scores. */
export function unpackScores(bytes: Uint8Array, width: number): ScoreTable {
  const rows = bytes.length / (8 * (width + 1))
  if (!Number.isInteger(rows)) throw new RangeError(`${bytes.length} bytes are no whole rows of ${width} scores.`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [ts, scores] = [new Float64Array(rows), new Float64Array(rows * width)]
  let at = 0
  for (let row = 0; row < rows; row++) {
    ts[row] = view.getFloat64(at, true)
    at += 8
    for (let k = 0; k < width; k++, at += 8) scores[row * width + k] = view.getFloat64(at, true)
  }
  return { ts, scores }
}

/** Rows `from` … `to`−1 of a table. */
export function sliceScores({ ts, scores }: ScoreTable, from: number, to: number): ScoreTable {
  const width = ts.length === 0 ? 0 : scores.length / ts.length
  return { ts: ts.slice(from, to), scores: scores.slice(from * width, to * width) }
}

/** `before`'s rows that are older than any of `after`, then `after`. */
export function joinScores(before: ScoreTable, after: ScoreTable): ScoreTable {
  const first = after.ts[0] ?? Number.POSITIVE_INFINITY
  let kept = 0
  while (kept < before.ts.length && before.ts[kept]! < first) kept++
  const head = sliceScores(before, 0, kept)
  const ts = new Float64Array(kept + after.ts.length)
  ts.set(head.ts)
  ts.set(after.ts, kept)
  const scores = new Float64Array(head.scores.length + after.scores.length)
  scores.set(head.scores)
  scores.set(after.scores, head.scores.length)
  return { ts, scores }
}
