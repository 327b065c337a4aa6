import { sentence } from '../../../shared/format/sentence.ts'

const SHORTEST = 6

/** Names that fit under a narrow column: cut to six characters, told apart by a number where that makes them the same. */
export function shortNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const short = name.length <= SHORTEST ? name : `${name.slice(0, SHORTEST - 1)}…`
    const times = (seen.get(short) ?? 0) + 1
    seen.set(short, times)
    return times === 1 ? short : `${short}${times}`
  })
}

/** A verdict as a sentence; a version that it begins with keeps its name as it is. */
export const verdictOf = (verdict: string, names: readonly string[]): string => {
  const text = sentence(verdict)
  const first = names.find((name) => verdict.startsWith(name))
  return first === undefined ? text : first + text.slice(first.length)
}

/** What so many tests find by chance alone; null where there are too few to say so. */
export const chanceNote = (tests: number): string | null =>
  tests < 6
    ? null
    : `Of ${tests} tests, about ${Math.round(tests * 0.05)} ${Math.round(tests * 0.05) === 1 ? 'says' : 'say'} "better" by chance where there is no difference.`
