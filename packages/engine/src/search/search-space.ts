import { combinationsOf } from '@shapecast/contracts/search'
import { createRandom } from '../random.ts'

/** What a search varies, and the values that it tries. */
export interface SearchedParameter {
  readonly name: string
  readonly values: readonly number[]
}

/** All combinations of its parameters' values, or so many of them, drawn at random. */
export interface SearchSpace {
  readonly parameters: readonly SearchedParameter[]
  /** Null: the whole grid. */
  readonly sample: { readonly points: number; readonly seed: number } | null
}

/** The points of a space: places in its grid, rising, none twice. The same space has the same points. */
export function pointsOf({ parameters, sample }: SearchSpace): Float64Array {
  const all = combinationsOf(parameters)
  if (sample === null || sample.points >= all) return Float64Array.from({ length: all }, (_, place) => place)
  const { next } = createRandom(sample.seed)
  const drawn = new Set<number>()
  // Floyd's sample of so many different places.
  for (let last = all - sample.points; last < all; last++) {
    const place = Math.floor(next() * (last + 1))
    drawn.add(drawn.has(place) ? last : place)
  }
  return Float64Array.from(drawn).sort()
}

/** Which of each parameter's values a point has; the last parameter changes from each place of the grid to the next. */
export function choicesAt(parameters: readonly SearchedParameter[], place: number): number[] {
  const choices: number[] = []
  let left = place
  for (const { values } of parameters.toReversed()) {
    choices.push(left % values.length)
    left = Math.floor(left / values.length)
  }
  return choices.reverse()
}

/** The values that a point has, by name. */
export function valuesAt({ parameters }: Pick<SearchSpace, 'parameters'>, place: number): Record<string, number> {
  const choices = choicesAt(parameters, place)
  return Object.fromEntries(parameters.map(({ name, values }, k) => [name, values[choices[k]!]!]))
}
