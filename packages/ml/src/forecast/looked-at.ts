import { type Feature, featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { featuresBehind } from '../features/har-inputs.ts'
import type { LookedAt } from './taken-apart.ts'

/** The name of a volatility input among a model's inputs, beside the features. */
export const volatilityInput = (name: string): string => `volatility input ${name}`

/** Two features that are one thing: half a clock says little without the other half. */
const CLOCKS: Readonly<Record<string, Feature>> = {
  hour_sin: { name: 'hour', group: 'calendar', label: 'Hour of the day' },
  hour_cos: { name: 'hour', group: 'calendar', label: 'Hour of the day' },
  weekday_sin: { name: 'weekday', group: 'calendar', label: 'Day of the week' },
  weekday_cos: { name: 'weekday', group: 'calendar', label: 'Day of the week' },
}

const pastMoves = (input: string): Feature => {
  const candles = Number(input.split('_').at(-1))
  return {
    name: input,
    group: 'volatility',
    label: candles === 1 ? 'Size of the last move' : `Mean size of the last ${candles} moves`,
  }
}

/**
 * What a model of ours looks at, each with all of its inputs that say it: a feature with the volatility input that is made
 * from the same numbers, and the past moves, which the volatility model alone is given.
 */
export function thingsLookedAt(
  timeframe: Timeframe,
  features: readonly string[],
  harInputs: readonly string[],
): LookedAt[] {
  const found = new Map<string, Feature & { columns: string[] }>()
  const add = (feature: Feature, column: string): void => {
    const known = found.get(feature.name)
    if (known === undefined) found.set(feature.name, { ...feature, columns: [column] })
    else if (!known.columns.includes(column)) known.columns.push(column)
  }
  for (const feature of featuresOf(timeframe))
    if (features.includes(feature.name)) add(CLOCKS[feature.name] ?? feature, feature.name)
  const byName = new Map(featuresOf(timeframe).map((feature) => [feature.name, feature]))
  for (const input of harInputs) {
    const behind = featuresBehind(input).filter((name) => features.includes(name))
    if (behind.length === 0) add(pastMoves(input), volatilityInput(input))
    for (const name of behind) add(CLOCKS[name] ?? byName.get(name)!, volatilityInput(input))
  }
  return [...found.values()]
}
