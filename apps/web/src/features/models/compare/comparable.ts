import type { Model } from '@shapecast/contracts/ml'
import type { ModelComparison } from '@shapecast/contracts/model-comparison'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { sentence } from '#kit/format/sentence.ts'

export const LEAST_COMPARED = 2

/** `BTCUSDT 1h` */
export const nameOf = ({ symbol, timeframe }: SeriesChoice) => `${symbol} ${timeframe}`

/** The series that every one of `versions` is trained on; of all versions where none is chosen. */
export function commonSeries(models: readonly Model[], versions: readonly string[]): SeriesChoice[] {
  const chosen = versions.length === 0 ? models : models.filter((model) => versions.includes(model.version))
  const [first, ...others] = chosen.map(({ artifacts }) => new Map(artifacts.map((one) => [nameOf(one), one])))
  return [...(first ?? [])]
    .filter(([name]) => others.every((series) => series.has(name)))
    .map(([, { symbol, timeframe }]) => ({ symbol, timeframe }))
}

/**
 * Two versions to begin a comparison with, `first` one of them where it is given: trained on a series in common where
 * any two are. Empty where there are not two.
 */
export function firstCompared(models: readonly Model[], first?: string): string[] {
  const trained = models.filter((model) => model.artifacts.length > 0)
  const pairs = trained
    .filter(({ version }) => first === undefined || version === first)
    .flatMap((a) => trained.filter((b) => b !== a).map((b) => [a.version, b.version]))
  return pairs.find((pair) => commonSeries(trained, pair).length > 0) ?? pairs[0] ?? []
}

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
