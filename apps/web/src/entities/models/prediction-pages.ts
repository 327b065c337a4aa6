import type { ChartPrediction } from '@shapecast/contracts/prediction-columns'
import { MAX_CANDLES } from '../markets/candle-pages.ts'

/** Rows at the end of the stored ones that a refresh asks for again: one may have been sealed live since. */
const OVERLAP_ROWS = 3
const LEAST_FIRST_ROWS = 5000
export const PREDICTION_PAGE_ROWS = 2000

/** Rows that a chart which shows `limit` candles at first loads in all: max(5000, 20 × limit), at most 10,000. */
export const firstPredictionRows = (limit: number): number =>
  Math.min(MAX_CANDLES, Math.max(LEAST_FIRST_ROWS, 20 * limit))

/** Rows of the first reply: those of the candles in view, so that the chart is drawn soon. The others follow when idle. */
export const shownPredictionRows = (limit: number): number => Math.min(MAX_CANDLES, limit + 1)

/** The time after which a refresh asks for rows, ms; null where nothing is stored yet. */
export function refreshSince(stored: readonly ChartPrediction[]): number | null {
  const from = stored.at(-OVERLAP_ROWS) ?? stored[0]
  return from === undefined ? null : from.timestamp - 1
}

const isSame = (a: ChartPrediction, b: ChartPrediction) => a.madeAt === b.madeAt && a.source === b.source

/**
 * The rows of a refresh put over the stored ones, ascending. Returns the stored list itself where nothing is new, and
 * null where the two do not belong together and all has to be loaded again: another model speaks now, or the stored rows
 * do not reach to those that came.
 */
export function mergePredictions(
  stored: readonly ChartPrediction[],
  fresh: readonly ChartPrediction[],
): readonly ChartPrediction[] | null {
  const first = fresh[0]
  const last = stored.at(-1)
  if (first === undefined || last === undefined) return null
  if (first.timestamp > last.timestamp) return null
  // Rows that were sealed live keep the hash of the model of their time, so one list may hold several.
  const known = new Set(stored.map((row) => row.hash))
  if (fresh.some((row) => row.version !== last.version || !known.has(row.hash))) return null
  const from = stored.findIndex((row) => row.timestamp >= first.timestamp)
  const overlap = stored.slice(from)
  if (overlap.length === fresh.length && overlap.every((row, i) => isSame(row, fresh[i]!))) return stored
  return [...stored.slice(0, from), ...fresh].slice(-MAX_CANDLES)
}

/** An older page put before the stored rows; rows of another version, or that are not older, are left out. */
export function prependPredictions(
  stored: readonly ChartPrediction[],
  older: readonly ChartPrediction[],
): readonly ChartPrediction[] {
  const first = stored[0]
  if (first === undefined) return older
  const before = older.filter((row) => row.timestamp < first.timestamp && row.version === first.version)
  return before.length === 0 ? stored : [...before, ...stored].slice(-MAX_CANDLES)
}
