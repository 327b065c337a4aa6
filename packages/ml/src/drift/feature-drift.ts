import { countBins, stabilityIndex } from './stability-index.ts'
import { isShifted, type Spread, shiftSize, spreadOf, type TrainingProfile } from './training-profile.ts'

/** One feature now against what was learnt from. */
export interface FeatureShift {
  name: string
  /** Population stability index. */
  index: number
  /** What 95 % of equally long stretches of training stay at or below. */
  chanceBand: number
  /** Beyond 0.1 and beyond the band. */
  shifted: boolean
  was: Spread
  now: Spread
  /** Share of the candles now that lie outside the smallest and largest value of training. */
  outside: number
}

export interface FeatureDrift {
  /** By index, the largest first. */
  features: FeatureShift[]
  candles: number
  trainedCandles: number
  shifted: number
  /** The most that have shifted at once in any equally long stretch of training. */
  shiftedByChance: number
  /**
   * More features have shifted than in any stretch of training, or one by more than three times its bounds, or one so that
   * most candles lie outside all that training has shown.
   */
  drifts: boolean
}

/** Candles that are compared at most. */
export const LONGEST_STRETCH = 500
/** Below so many nothing is said. */
export const SHORTEST_STRETCH = 100
/** A feature that has shifted by more than so many times its bounds speaks for itself. */
const ALONE = 3
const PARTS = 10
const ROUND_TO = 50

/**
 * How many candles to compare: the newest 500, fewer if there are fewer or where training is short (a tenth of it, so
 * that it has ten stretches to compare with); 0 where fewer than 100 are left. Rounded down to 50, so that a profile
 * serves for more than one candle.
 */
export function stretchLength(trainedCandles: number, candlesSince: number): number {
  const length = Math.min(LONGEST_STRETCH, candlesSince, Math.max(SHORTEST_STRETCH, Math.floor(trainedCandles / PARTS)))
  return length < SHORTEST_STRETCH || trainedCandles < 5 * SHORTEST_STRETCH
    ? 0
    : Math.floor(length / ROUND_TO) * ROUND_TO
}

const speaksAlone = ({ shifted, index, chanceBand, outside }: FeatureShift): boolean =>
  shifted && (shiftSize(index, chanceBand) > ALONE || isMostlyOutside(outside))

/** Whether most candles lie outside all that training has shown. */
export const isMostlyOutside = (outside: number): boolean => outside > 0.5

/** The features of the newest candles, `recent` in the profile's order and `profile.stretch` long, against training. */
export function featureDrift(profile: TrainingProfile, recent: readonly Float64Array[]): FeatureDrift {
  const features = profile.columns.map((column, c): FeatureShift => {
    const values = recent[c]!
    const { min, max } = column.spread
    const index = stabilityIndex(column.counts, countBins(column.edges, values))
    return {
      name: column.name,
      index,
      chanceBand: column.chanceBand,
      shifted: isShifted(index, column.chanceBand),
      was: column.spread,
      now: spreadOf(values),
      outside: values.filter((value) => value < min || value > max).length / values.length,
    }
  })
  const shifted = features.filter((feature) => feature.shifted).length
  return {
    features: features.sort((a, b) => b.index - a.index || a.name.localeCompare(b.name)),
    candles: recent[0]?.length ?? 0,
    trainedCandles: profile.rows,
    shifted,
    shiftedByChance: profile.shiftedByChance,
    drifts: shifted > profile.shiftedByChance || features.some((shift) => speaksAlone(shift)),
  }
}
