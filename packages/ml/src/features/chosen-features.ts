import { AppError } from '@shapecast/contracts/errors'
import { type FeatureName, featureComplaint, featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'

/**
 * The features that a model is given, in the order of their columns however they were named; all where none are chosen.
 * Throws `bad_input` that lists the known ones where one is unknown, named twice, or none is left.
 */
export function chosenFeatures(timeframe: Timeframe, chosen?: readonly string[]): FeatureName[] {
  const known = featuresOf(timeframe).map(({ name }) => name)
  if (chosen === undefined) return known
  const complaint = featureComplaint(timeframe, chosen)
  if (complaint !== null) throw new AppError('bad_input', complaint, { field: 'features' })
  return known.filter((name) => chosen.includes(name))
}
