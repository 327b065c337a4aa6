import type { ModelComparison } from '@shapecast/contracts/model-comparison'
import { sentence } from '#kit/format/sentence.ts'

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

/** A p-value from which on a difference is told from chance. */
const TELLS_BELOW = 0.05

/** Which of two versions is better, first by direction, then by range, without a figure: these are below. */
export function pairWords({ a, b, logLoss, pinball }: ModelComparison['pairs'][number]): string {
  const better = ({ pValue, meanDifference }: typeof logLoss) =>
    pValue >= TELLS_BELOW ? null : meanDifference < 0 ? a : b
  const [direction, range] = [better(logLoss), better(pinball)]
  if (direction === null && range === null)
    return `${a} and ${b} cannot be told apart: what differs can be luck. Keep the one in use.`
  const part = (subject: string, name: string | null) =>
    name === null ? `in ${subject} they cannot be told apart` : `${name} is better in ${subject}`
  return `${a} and ${b}: ${part('direction', direction)}, ${part('range', range)}.`
}

/** What so many tests find by chance alone; null where there are too few to say so. */
export function chanceNote(tests: number): string | null {
  if (tests < 6) return null
  const byChance = Math.round(tests * TELLS_BELOW)
  return `Of ${tests} tests, about ${byChance} ${byChance === 1 ? 'says' : 'say'} "better" by chance where there is no difference.`
}
