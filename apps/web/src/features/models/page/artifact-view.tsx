import { Box } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { useIsManager, useUser } from '../../../shared/auth/auth-context.ts'
import { DriftLine } from '../../../shared/drift/drift-line.tsx'
import { twoCards } from '../../../shared/ui/page-layout.ts'
import { ArtifactList } from './artifact-list.tsx'
import { DeleteUpload } from './delete-upload.tsx'
import { DirectionCard } from './direction-card.tsx'
import { FanCard } from './fan-card.tsx'
import { ImportanceCard } from './importance-card.tsx'
import { LearningCard } from './learning-card.tsx'
import { ProvenanceCard } from './provenance-card.tsx'
import { TradingCard } from './trading-card.tsx'
import { UploadNote } from './upload-note.tsx'

/** What is known of an artifact: what has skill first, then how it was made and which one of its series predicts. */
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
      {artifact.active && <DriftLine version={version} symbol={symbol} timeframe={timeframe} />}
      <FanCard evaluation={evaluation} />
      <DirectionCard evaluation={evaluation} />
      <Box sx={learningCurves === null ? undefined : twoCards}>
        {learningCurves !== null && <LearningCard curves={learningCurves} />}
        <TradingCard trading={evaluation.trading} />
      </Box>
      <ImportanceCard key={artifact.id} artifactId={artifact.id} />
      <ArtifactList
        version={version}
        artifacts={artifacts.filter((one) => one.symbol === symbol && one.timeframe === timeframe)}
        shownId={artifact.id}
        mayPromote={isManager || (user !== null && ownerId === user.id)}
      />
      <ProvenanceCard artifact={artifact} />
    </>
  )
}
