import { type ArtifactDetail, promoteArtifact } from '@shapecast/contracts/ml'
import { createContext, use } from 'react'
import { Link as RouterLink } from 'react-router'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { sentence } from '#kit/format/sentence.ts'
import { formatExactTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

type Known = Pick<ArtifactDetail, 'id' | 'active' | 'symbol' | 'timeframe' | 'createdAt'>

/** The artifact that was asked for, else the newest of those that predict, else the newest of all. */
export function shownArtifact<A extends Known>(artifacts: readonly A[], askedId: string | null): A | undefined {
  const newestFirst = [...artifacts].sort((a, b) => b.createdAt - a.createdAt)
  return artifacts.find(({ id }) => id === askedId) ?? newestFirst.find(({ active }) => active) ?? newestFirst[0]
}

/** The series of a version by name, each with the artifact that its page begins with. */
export function seriesOf(artifacts: readonly Known[]): { name: string; artifactId: string }[] {
  const byName = Map.groupBy(artifacts, ({ symbol, timeframe }) => `${symbol} ${timeframe}`)
  const series = [...byName].map(([name, those]) => ({ name, artifactId: shownArtifact(those, null)!.id }))
  return series.sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Shown {
  readonly version: string
  readonly artifact: ArtifactDetail
  /** All of the version. */
  readonly artifacts: readonly ArtifactDetail[]
  readonly mayPromote: boolean
}

/** The artifact that the page of a model shows. */
export const ArtifactContext = createContext<Shown | null>(null)
export const useArtifact = (): Shown => use(ArtifactContext)!

/** The trainings of a version on one series, the newest first: which one predicts, and why. */
export function ArtifactList() {
  const { version, artifact: shown, artifacts, mayPromote } = useArtifact()
  const ofSeries = artifacts.filter(({ symbol, timeframe }) => symbol === shown.symbol && timeframe === shown.timeframe)
  return (
    <Card
      title="Trainings"
      facts="a newer one takes over when it is better beyond chance on the same unseen candles"
      flush
    >
      <ul aria-label="Trainings" className={layout.list}>
        {ofSeries.map((artifact) => (
          <Row
            as="li"
            key={artifact.id}
            aria-current={artifact.id === shown.id}
            gap={1.5}
            wrap
            className={layout.listRow}
          >
            <div style={{ flex: '1 1 260px', minWidth: 0 }}>
              <Row gap={1} lineGap={0.5} wrap>
                <Link
                  as={RouterLink}
                  to={paths.model(version, artifact.id)}
                  style={{ fontWeight: 500, color: colors.text }}
                >
                  {artifact.origin === 'uploaded' ? 'Uploaded' : 'Trained'} <Ago ms={artifact.createdAt} />
                </Link>
                {artifact.active && <Chip label="predicts" tone="accent" />}
                {artifact.origin === 'uploaded' && <Chip label="uploaded" tone="outline" />}
                {artifact.id === shown.id && <Chip label="shown" tone="outline" />}
              </Row>
              <Text as="div" size="small" tone="text2" above={0.5}>
                {formatShareRatio(artifact.accuracy.accuracy)} right · {formatInterval(artifact.accuracy.interval)} ·{' '}
                {artifact.seed !== null && `seed ${artifact.seed} · `}
                {artifact.hash.slice(0, 12)}
              </Text>
              <Text as="div" size="small" tone="text3" above={0.25}>
                {artifact.comparison === null
                  ? 'The first on this coin and timeframe.'
                  : sentence(artifact.comparison.verdict)}
              </Text>
            </div>
            {mayPromote && !artifact.active && <PromoteArtifact artifact={artifact} />}
          </Row>
        ))}
      </ul>
    </Card>
  )
}

/** Makes an artifact the one that predicts, whatever its comparison says. */
function PromoteArtifact({ artifact }: { artifact: ArtifactDetail }) {
  const promote = useEndpointMutation(promoteArtifact)
  return (
    <div style={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: 4 }}>
      <Button
        size="small"
        aria-label={`Promote the artifact of ${formatExactTime(artifact.createdAt)}`}
        {...busyButton(promote.isPending, () => promote.mutate({ params: { id: artifact.id } }))}
      >
        {promote.isPending ? 'Promoting…' : 'Promote'}
      </Button>
      {promote.isError && (
        <Text role="alert" size="label" tone="down">
          {errorInFull(promote.error, 'It could not be promoted.')}
        </Text>
      )}
    </div>
  )
}
