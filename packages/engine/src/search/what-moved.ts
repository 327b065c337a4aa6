import { choicesAt, type SearchedParameter } from './search-space.ts'

/** What one parameter has to do with the results of a search. */
export interface Moved {
  readonly name: string
  /** Share of the spread of all Sharpe ratios that its values alone explain, 0–1. */
  readonly share: number
  /** Its values with the best and the worst mean. */
  readonly best: number
  readonly worst: number
}

/**
 * How much of the variance of the points' figures each parameter explains by itself: between the means of its values, over
 * all of it (η²; of a random sample ε², which takes off what chance explains, Kelley, PNAS 21, 1935). What is left belongs to
 * parameters that act together. Points without a figure (NaN) are left out.
 */
export function whatMoved(
  parameters: readonly SearchedParameter[],
  places: Float64Array,
  figures: Float64Array,
  isSample: boolean,
): Moved[] {
  const known = Array.from(places, (place, k) => ({
    choices: choicesAt(parameters, place),
    figure: figures[k]!,
  })).filter(({ figure }) => !Number.isNaN(figure))
  const mean = known.reduce((sum, { figure }) => sum + figure, 0) / known.length
  const total = known.reduce((sum, { figure }) => sum + (figure - mean) ** 2, 0)
  return parameters.map(({ name, values }, k) => {
    const groups = values.map(() => ({ count: 0, sum: 0 }))
    for (const { choices, figure } of known) {
      const group = groups[choices[k]!]!
      group.count++
      group.sum += figure
    }
    const tried = groups.flatMap(({ count, sum }, v) => (count === 0 ? [] : [{ v, count, mean: sum / count }]))
    const between = tried.reduce((sum, group) => sum + group.count * (group.mean - mean) ** 2, 0)
    const free = known.length - tried.length
    const chance = isSample && free > 0 ? ((tried.length - 1) * (total - between)) / free : 0
    const ranked = tried.toSorted((a, b) => b.mean - a.mean)
    return {
      name,
      share: total > 0 ? Math.max(0, (between - chance) / total) : 0,
      best: values[ranked[0]?.v ?? 0]!,
      worst: values[ranked.at(-1)?.v ?? 0]!,
    }
  })
}
