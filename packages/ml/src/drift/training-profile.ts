import type { FeatureShift } from '@shapecast/contracts/drift'
import { binOf, countBins, decileEdges, stabilityIndex } from './stability-index.ts'

/** The median of a column, its middle nine tenths, and the whole of it. */
export type Spread = FeatureShift['was']

/** What a column was like over the candles that were learnt from, small enough to keep. */
export interface ColumnProfile {
  name: string
  edges: readonly number[]
  counts: Float64Array
  spread: Spread
  /** Stability index that 95 % of stretches of training stay at or below against the rest of it. */
  chanceBand: number
}

export interface TrainingProfile {
  /** Candles of a stretch. */
  stretch: number
  rows: number
  columns: ColumnProfile[]
  /** The most columns that have shifted at once in any stretch of training, each by its own bounds. */
  shiftedByChance: number
}

/** A column below this has not shifted, however unusual that is of it (Siddiqi, 2006). */
export const STABLE_BELOW = 0.1

const BAND = 0.95
/** Stretches begin at every tenth of their length: they overlap, so that none of training's quirks falls between two. */
const STEPS = 10

/** The smallest value that a share of them stays at or below, counted as the conformal way does: ⌈(n + 1) share⌉-th. */
function upperBand(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length, Math.ceil((sorted.length + 1) * share)) - 1] ?? 0
}

/** Of values that must not be empty; low and high end of the middle 90 %. */
export function spreadOf(values: Float64Array): Spread {
  const sorted = values.toSorted()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { median: at(0.5), low: at(0.05), high: at(0.95), min: sorted[0]!, max: sorted[sorted.length - 1]! }
}

/** Stability indices of every stretch of `length` against the rest, by the bins' running counts. */
function stretchIndices(edges: readonly number[], values: Float64Array, total: Float64Array, length: number): number[] {
  const bins = Uint8Array.from(values, (value) => binOf(edges, value))
  const inside = new Float64Array(total.length)
  const rest = new Float64Array(total.length)
  const indices: number[] = []
  const step = Math.max(1, Math.floor(length / STEPS))
  for (let start = 0; start + length <= values.length; start += step) {
    inside.fill(0)
    for (let i = start; i < start + length; i++) inside[bins[i]!]!++
    for (let bin = 0; bin < total.length; bin++) rest[bin] = total[bin]! - inside[bin]!
    indices.push(stabilityIndex(rest, inside))
  }
  return indices
}

/**
 * What training looked like: `columns` are the features over the candles that were learnt from, in order of time, all of
 * one length. A stretch's index against the rest is large by chance where a column moves slowly, so each column gets
 * the band in which its own stretches of `stretch` candles lie.
 */
export function profileTraining(
  names: readonly string[],
  columns: readonly Float64Array[],
  stretch: number,
): TrainingProfile {
  const rows = columns[0]?.length ?? 0
  const indices: number[][] = []
  const profiles = columns.map((values, c): ColumnProfile => {
    const edges = decileEdges(values)
    const counts = countBins(edges, values)
    const own = stretchIndices(edges, values, counts, stretch)
    indices.push(own)
    return { name: names[c]!, edges, counts, spread: spreadOf(values), chanceBand: upperBand(own, BAND) }
  })
  const stretches = indices[0]?.length ?? 0
  let shiftedByChance = 0
  for (let s = 0; s < stretches; s++) {
    const shifted = profiles.filter((profile, c) => isShifted(indices[c]![s]!, profile.chanceBand)).length
    shiftedByChance = Math.max(shiftedByChance, shifted)
  }
  return { stretch, rows, columns: profiles, shiftedByChance }
}

/** An index in units of the larger of what counts as stable and what stretches of training show by chance. */
export const shiftSize = (index: number, chanceBand: number): number => index / Math.max(STABLE_BELOW, chanceBand)

/** Beyond both. */
export const isShifted = (index: number, chanceBand: number): boolean => shiftSize(index, chanceBand) > 1
