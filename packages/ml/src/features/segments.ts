import type { Candles } from '@shapecast/engine/candles'

/** A hole of more missing candles than this ends a segment: what lies before says too little about what comes after. */
export const LONGEST_BRIDGED_GAP = 24

/** How the candles lie in time. */
export interface Continuity {
  /** For each candle the index at which its segment begins. */
  segmentStart: Int32Array
  /** Steps of the timeframe from the candle before: 1 where none is missing, 0 for the first candle. */
  steps: Float64Array
  /** How many holes lie before or at each candle; two candles with the same number have no hole between them. */
  gapsUpTo: Int32Array
  gaps: number
  missingCandles: number
}

/**
 * Finds the holes in the candles. Holes of up to LONGEST_BRIDGED_GAP missing candles are bridged (windows span them, and
 * the return over one counts as that of its many steps); a longer one begins a new segment with a warm-up of its own.
 */
export function findContinuity(candles: Candles, timeframeMs: number): Continuity {
  const n = candles.length
  const segmentStart = new Int32Array(n)
  const steps = new Float64Array(n)
  const gapsUpTo = new Int32Array(n)
  let missingCandles = 0
  for (let i = 1; i < n; i++) {
    const step = Math.max(1, Math.round((candles.ts[i]! - candles.ts[i - 1]!) / timeframeMs))
    steps[i] = step
    gapsUpTo[i] = gapsUpTo[i - 1]! + (step > 1 ? 1 : 0)
    missingCandles += step - 1
    segmentStart[i] = step - 1 > LONGEST_BRIDGED_GAP ? i : segmentStart[i - 1]!
  }
  return { segmentStart, steps, gapsUpTo, gaps: n === 0 ? 0 : gapsUpTo[n - 1]!, missingCandles }
}

/** Candles before a block from which its recursive averages begin. */
export const BLOCK_HISTORY = 500
/** Candles (of calendar time) that share one beginning. */
export const BLOCK_CANDLES = 2000

/** Rows `from` … `to`−1 are computed from candles `start` … `to`−1. */
export interface Block {
  start: number
  from: number
  to: number
}

/**
 * Cuts the candles into blocks at fixed points of the calendar, each with BLOCK_HISTORY candles before it (fewer at the
 * beginning of a segment). Averages without end (EMA, Wilder) begin again in each block, so that a row's features depend on
 * at most BLOCK_HISTORY + BLOCK_CANDLES candles and, to the bit, not on where the given candles begin: a bot that
 * loads the newest 3,000 candles sees what a backtest over years saw.
 */
export function cutBlocks(candles: Candles, continuity: Continuity, timeframeMs: number): Block[] {
  const blocks: Block[] = []
  const blockMs = timeframeMs * BLOCK_CANDLES
  const { segmentStart } = continuity
  const blockOf = (i: number): number => Math.floor(candles.ts[i]! / blockMs)
  let from = 0
  for (let i = 1; i <= candles.length; i++) {
    if (i < candles.length && segmentStart[i] === segmentStart[from] && blockOf(i) === blockOf(from)) continue
    blocks.push({ start: Math.max(segmentStart[from]!, from - BLOCK_HISTORY), from, to: i })
    from = i
  }
  return blocks
}
