import type { Gap } from './summary.ts'

const CHUNK = 1 << 14
const float = new Float64Array(5)
const words = new Uint32Array(float.buffer)

interface Chunk {
  /** The line that filled the slot; 0 while it is free. */
  readonly line: Uint32Array
  readonly hashA: Uint32Array
  readonly hashB: Uint32Array
}

/**
 * Which candles a file has had, by their place in time. Twelve bytes a slot of the timeframe within the file's own
 * range, whatever the number of rows: its memory is bounded by the calendar (about 110 MB for every minute since 2009),
 * not by the file. Values are remembered as 64 bits of hash, enough to tell an exact repetition from a contradiction.
 */
export class SlotIndex {
  readonly #chunks = new Map<number, Chunk>()
  readonly #timeframeMs: number
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY
  #count = 0

  constructor(timeframeMs: number) {
    this.#timeframeMs = timeframeMs
  }

  /** Different candles so far. */
  get count(): number {
    return this.#count
  }
  /** Open time in ms of the earliest candle; null without any. */
  get first(): number | null {
    return this.#count > 0 ? this.#first * this.#timeframeMs : null
  }
  /** Open time in ms of the latest candle; null without any. */
  get last(): number | null {
    return this.#count > 0 ? this.#last * this.#timeframeMs : null
  }

  /**
   * Remembers the candle of `line` that opens at `ts` (ms, aligned). Returns 0 where it is new, the line of the earlier
   * candle of that time where both are equal, and minus that line where they contradict each other.
   */
  add(ts: number, open: number, high: number, low: number, close: number, volume: number, line: number): number {
    const slot = ts / this.#timeframeMs
    const key = Math.floor(slot / CHUNK)
    const place = slot - key * CHUNK
    let chunk = this.#chunks.get(key)
    if (!chunk) {
      chunk = { line: new Uint32Array(CHUNK), hashA: new Uint32Array(CHUNK), hashB: new Uint32Array(CHUNK) }
      this.#chunks.set(key, chunk)
    }
    float[0] = open
    float[1] = high
    float[2] = low
    float[3] = close
    float[4] = volume
    // Two FNV-like streams with different primes, finished as in MurmurHash3.
    let a = 0x811c9dc5
    let b = 0x9747b28c
    for (let i = 0; i < 10; i++) {
      const word = words[i]!
      a = Math.imul(a ^ word, 0x01000193)
      a ^= a >>> 15
      b = Math.imul(b ^ word, 0x85ebca6b)
      b ^= b >>> 13
    }
    a = Math.imul(a ^ (a >>> 16), 0xc2b2ae35) >>> 0
    b = Math.imul(b ^ (b >>> 16), 0x27d4eb2f) >>> 0
    const earlier = chunk.line[place]!
    if (earlier !== 0) return chunk.hashA[place] === a && chunk.hashB[place] === b ? earlier : -earlier
    chunk.line[place] = line
    chunk.hashA[place] = a
    chunk.hashB[place] = b
    this.#count++
    if (slot < this.#first) this.#first = slot
    if (slot > this.#last) this.#last = slot
    return 0
  }

  /**
   * Every run of missing candles between the first and the last, oldest first, the first `keep` of them listed.
   * `step` is the greatest common divisor of the distances between neighbours, in timeframes; 0 below two candles.
   */
  gaps(keep: number): { gaps: Gap[]; gapCount: number; missingCandles: number; step: number } {
    const gaps: Gap[] = []
    let gapCount = 0
    let missingCandles = 0
    let step = 0
    let expected = this.#first
    for (const key of [...this.#chunks.keys()].sort((x, y) => x - y)) {
      const { line } = this.#chunks.get(key)!
      for (let place = 0; place < CHUNK; place++) {
        if (line[place] === 0) continue
        const slot = key * CHUNK + place
        if (slot > expected) {
          const missing = slot - expected
          gapCount++
          missingCandles += missing
          if (gaps.length < keep)
            gaps.push({ from: expected * this.#timeframeMs, to: (slot - 1) * this.#timeframeMs, missing })
        }
        if (slot >= this.#first + 1 && step !== 1) step = commonDivisor(step, slot - expected + 1)
        expected = slot + 1
      }
    }
    return { gaps, gapCount, missingCandles, step }
  }
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))
