import { featuresOf, GROUP_LABELS } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'

/** `All 27`, or how many and which, whole groups by their name: `4 of 27: all of Oscillators, MACD`. */
export function featuresLearnt({ timeframe, features }: { timeframe: Timeframe; features: readonly string[] }): string {
  const known = featuresOf(timeframe)
  const isLearnt = ({ name }: { name: string }) => features.includes(name)
  if (known.every(isLearnt)) return `All ${known.length}`
  const isWhole = (group: string) => {
    const members = known.filter((feature) => feature.group === group)
    return members.length > 1 && members.every(isLearnt)
  }
  const parts = known
    .filter(isLearnt)
    .map(({ group, label }) => (isWhole(group) ? `all of ${GROUP_LABELS[group]}` : label))
  return `${features.length} of ${known.length}: ${[...new Set(parts)].join(', ')}`
}
