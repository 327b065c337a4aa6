import type { Model } from '@shapecast/contracts/ml'

const RANK: Readonly<Record<string, number>> = { production: 0, staging: 1, archived: 2 }
const OTHER = 3
/** Production versions that are tested together. */
const MOST_TESTED = 3

/** Production, staging, archived, other; within a stage the newest update first. */
export function inModelOrder<M extends { stage: string; stats: Pick<Model['stats'], 'last_update'> }>(
  models: readonly M[],
): M[] {
  const rank = (model: M) => RANK[model.stage] ?? OTHER
  return [...models].sort(
    (a, b) => rank(a) - rank(b) || (b.stats.last_update ?? -Infinity) - (a.stats.last_update ?? -Infinity),
  )
}

/** The production versions that are tested at once: the first 3 in model order. */
export const testedVersions = (models: readonly Model[]): string[] =>
  inModelOrder(models)
    .filter((model) => model.stage === 'production')
    .slice(0, MOST_TESTED)
    .map((model) => model.version)
