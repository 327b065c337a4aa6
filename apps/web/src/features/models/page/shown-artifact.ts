import type { ArtifactDetail } from '@shapecast/contracts/ml'

type Known = Pick<ArtifactDetail, 'id' | 'active' | 'symbol' | 'timeframe' | 'createdAt'>

/** The artifact that was asked for, else the newest of those that predict, else the newest of all. */
export function shownArtifact<A extends Known>(artifacts: readonly A[], askedId: string | null): A | undefined {
  const newestFirst = [...artifacts].sort((a, b) => b.createdAt - a.createdAt)
  return artifacts.find(({ id }) => id === askedId) ?? newestFirst.find(({ active }) => active) ?? newestFirst[0]
}

/** The series of a version by name, each with the artifact that its page begins with. */
export function seriesOf(artifacts: readonly Known[]): { name: string; artifactId: string }[] {
  const names = [...new Set(artifacts.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`))].sort()
  return names.flatMap((name) => {
    const first = shownArtifact(
      artifacts.filter(({ symbol, timeframe }) => `${symbol} ${timeframe}` === name),
      null,
    )
    return first === undefined ? [] : [{ name, artifactId: first.id }]
  })
}
