import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { PageTabs } from '#kit/ui/page-tabs.tsx'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { ArtifactList } from './artifact-list.tsx'
import { DeleteUpload } from './delete-upload.tsx'
import { DirectionCard } from './direction-card.tsx'
import { DriftLine } from './drift-line.tsx'
import { FanCard } from './fan-card.tsx'
import { ImportanceCard } from './importance-card.tsx'
import { LearningCard } from './learning-card.tsx'
import { ProvenanceCard } from './provenance-card.tsx'
import { TradingCard } from './trading-card.tsx'
import { UploadNote } from './upload-note.tsx'
import { VerdictCard } from './verdict-card.tsx'

/** What is known of an artifact: the verdict first, then the evidence by subject. */
export function ArtifactView({
  version,
  artifact,
  artifacts,
  ownerId,
}: {
  version: string
  artifact: ArtifactDetail
  /** All of the version. */
  artifacts: readonly ArtifactDetail[]
  /** Who may promote, beside managers; null for nobody. */
  ownerId: string | null
}) {
  const isManager = useIsManager()
  const user = useUser()
  const { upload, symbol, timeframe, evaluation, learningCurves } = artifact
  const mayDelete = isManager || (user !== null && upload?.uploadedBy === user.id)
  return (
    <>
      {upload !== null && (
        <UploadNote
          upload={upload}
          actions={mayDelete && <DeleteUpload version={version} artifact={artifact} isOnly={artifacts.length === 1} />}
        />
      )}
      <VerdictCard artifact={artifact} />
      <PageTabs
        label="Evidence"
        tabs={[
          { id: 'range', label: 'Range', content: <FanCard version={version} artifact={artifact} /> },
          {
            id: 'direction',
            label: 'Direction',
            content: <DirectionCard evaluation={evaluation} direction={artifact.direction} />,
          },
          { id: 'trading', label: 'Traded plainly', content: <TradingCard evaluation={evaluation} /> },
          {
            id: 'inputs',
            label: 'Inputs',
            content: (
              <>
                {artifact.active && <DriftLine version={version} symbol={symbol} timeframe={timeframe} />}
                <ImportanceCard key={artifact.id} artifactId={artifact.id} />
              </>
            ),
          },
          {
            id: 'provenance',
            label: 'Provenance',
            content: (
              <>
                <ArtifactList
                  version={version}
                  artifacts={artifacts.filter((one) => one.symbol === symbol && one.timeframe === timeframe)}
                  shownId={artifact.id}
                  mayPromote={isManager || (user !== null && ownerId === user.id)}
                />
                <ProvenanceCard artifact={artifact} />
                {learningCurves !== null && <LearningCard curves={learningCurves} />}
              </>
            ),
          },
        ]}
      />
    </>
  )
}
