import type { FeatureDrift as ShownDrift, FeatureShift as ShownShift } from '@shapecast/contracts/drift'
import { countBins, stabilityIndex } from './stability-index.ts'
import { isShifted, shiftSize, spreadOf, type TrainingProfile } from './training-profile.ts'

/** One feature now against what was learnt from. */
export type FeatureShift = Omit<ShownShift, 'label' | 'words'>

export type FeatureDrift = Omit<ShownDrift, 'features' | 'from' | 'to' | 'trainedFrom' | 'trainedTo'> & {
  features: FeatureShift[]
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
