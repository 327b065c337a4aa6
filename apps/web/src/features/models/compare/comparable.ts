import type { Model } from '@shapecast/contracts/ml'

export interface ComparedSeries {
  readonly symbol: string
  readonly timeframe: Model['artifacts'][number]['timeframe']
}

export const LEAST_COMPARED = 2

/** `BTCUSDT 1h` */
export const nameOf = ({ symbol, timeframe }: ComparedSeries) => `${symbol} ${timeframe}`

/** The series that every one of `versions` is trained on; of all versions where none is chosen. */
export function commonSeries(models: readonly Model[], versions: readonly string[]): ComparedSeries[] {
  const chosen = versions.length === 0 ? models : models.filter((model) => versions.includes(model.version))
  const [first, ...others] = chosen
  if (first === undefined) return []
  const has = (model: Model, series: ComparedSeries) =>
    model.artifacts.some((artifact) => nameOf(artifact) === nameOf(series))
  const seen = new Set<string>()
  return first.artifacts
    .filter((series) => others.every((model) => has(model, series)))
    .filter((series) => !seen.has(nameOf(series)) && seen.add(nameOf(series)))
    .map(({ symbol, timeframe }) => ({ symbol, timeframe }))
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
