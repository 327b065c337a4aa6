import { featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'

/** `All 27`, or how many and which, by what they mean: `2 of 27: RSI of 14 candles, MACD`. */
export function featuresLearnt({ timeframe, features }: { timeframe: Timeframe; features: readonly string[] }): string {
  const known = featuresOf(timeframe)
  if (known.every(({ name }) => features.includes(name))) return `All ${known.length}`
  const labels = features.map((name) => known.find((feature) => feature.name === name)?.label ?? name)
  return `${features.length} of ${known.length}: ${labels.join(', ')}`
}
