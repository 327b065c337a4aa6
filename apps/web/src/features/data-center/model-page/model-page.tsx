import { Box, Typography } from '@mui/material'
import { type ArtifactDetail, modelDetail, models } from '@shapecast/contracts/ml'
import { useNavigate } from 'react-router'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useIsManager, useUser } from '../../../shared/auth/auth-context.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Banner } from '../../../shared/ui/banner.tsx'
import { Card } from '../../../shared/ui/card.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { LinkButton } from '../../../shared/ui/link-button.tsx'
import { SelectField } from '../../../shared/ui/select-field.tsx'
import { DriftLine } from '../drift/drift-line.tsx'
import { FailureNote } from '../failure-note.tsx'
import { LEAK_MEANS } from '../models/leak-words.ts'
import { ModelChips } from '../models/model-chips.tsx'
import { StageButton } from '../models/stage-button.tsx'
import { StageFailure, useStageFailure } from '../models/stage-failure.tsx'
import { PageHead } from '../page-head.tsx'
import { pageColumn, twoCards } from '../page-layout.ts'
import { HOME, linkTo, modelPage } from '../view.ts'
import { ArchiveButton } from './archive-button.tsx'
import { ArtifactList } from './artifact-list.tsx'
import { CardDownload } from './card-download.tsx'
import { DeleteUpload } from './delete-upload.tsx'
import { DirectionCard } from './direction-card.tsx'
import { FanCard } from './fan-card.tsx'
import { Findings } from './findings.tsx'
import { LearningCard } from './learning-card.tsx'
import { ModelSkeleton } from './model-skeleton.tsx'
import { OnnxDownload } from './onnx-download.tsx'
import { ProvenanceCard } from './provenance-card.tsx'
import { seriesOf, shownArtifact } from './shown-artifact.ts'
import { TradingCard } from './trading-card.tsx'
import { UploadNote } from './upload-note.tsx'

function Quality({ artifact }: { artifact: ArtifactDetail }) {
  return (
    <>
      <FanCard evaluation={artifact.evaluation} />
      <DirectionCard evaluation={artifact.evaluation} />
      <Box sx={artifact.learningCurves === null ? undefined : twoCards}>
        {artifact.learningCurves !== null && <LearningCard curves={artifact.learningCurves} />}
        <TradingCard trading={artifact.evaluation.trading} />
      </Box>
    </>
  )
}

/** All that is known of a version: what has skill first, then how it was made and which artifact predicts. */
export function ModelPage({ version, artifactId }: { version: string; artifactId: string | null }) {
  const reply = useEndpointQuery(modelDetail, { params: { id: version } })
  const list = useEndpointQuery(models, {})
  const isManager = useIsManager()
  const user = useUser()
  const navigate = useNavigate()
  const staging = useStageFailure()
  const model = reply.data
  const shown = model === undefined ? undefined : shownArtifact(model.artifacts, artifactId)
  const series = seriesOf(model?.artifacts ?? [])
  const ofSeries = model?.artifacts.filter((one) => one.symbol === shown?.symbol && one.timeframe === shown?.timeframe)
  const others = (list.data?.models ?? []).filter((one) => one.version !== version && one.artifacts.length > 0)
  return (
    <Box sx={pageColumn}>
      <title>{`${version} · Data Center · Shapecast`}</title>
      <PageHead
        title={version}
        facts={model !== undefined && <ModelChips model={model} isCurrent={list.data?.current === version} />}
        actions={
          model !== undefined && (
            <>
              {others[0] !== undefined && (
                <LinkButton variant="text" to={linkTo({ kind: 'compare', versions: [version, others[0].version] })}>
                  Compare
                </LinkButton>
              )}
              <LinkButton variant="text" to={linkTo({ kind: 'record', version })}>
                Track record
              </LinkButton>
              {isManager && <ArchiveButton model={model} onStaged={staging.report} />}
              {isManager && <StageButton model={model} variant="secondary" onStaged={staging.report} />}
              {shown !== undefined && <CardDownload version={version} artifact={shown} />}
              {shown !== undefined && <OnnxDownload version={version} artifact={shown} />}
            </>
          )
        }
      />
      <StageFailure failure={staging.failure} dismiss={staging.dismiss} />
      {reply.isPending && <ModelSkeleton />}
      {reply.isError && model === undefined && (
        <FailureNote
          error={reply.error}
          title="The model could not be loaded"
          isRetrying={reply.isFetching}
          onRetry={() => void reply.refetch()}
        />
      )}
      {shown !== undefined && (
        <>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 2 }}>
            {series.length > 1 && (
              <Box sx={{ width: { xs: '100%', sm: 240 } }}>
                <SelectField
                  label="Series"
                  value={`${shown.symbol} ${shown.timeframe}`}
                  options={series.map(({ name }) => ({ value: name, label: name }))}
                  onChange={(name) => {
                    const chosen = series.find((one) => one.name === name)
                    if (chosen !== undefined) void navigate(modelPage(version, chosen.artifactId))
                  }}
                />
              </Box>
            )}
            {!shown.active && (
              <Typography variant="small" sx={{ color: colors.warn, pb: 1 }}>
                {ofSeries?.some(({ active }) => active)
                  ? 'This artifact does not predict. Its series has another one that does.'
                  : `No artifact of ${version} predicts ${shown.symbol} ${shown.timeframe}: what is left leaks the future. Train it again, or let a manager promote one.`}
              </Typography>
            )}
          </Box>
          {shown.upload !== null && (
            <UploadNote
              upload={shown.upload}
              actions={
                (isManager || (user !== null && shown.upload.uploadedBy === user.id)) && (
                  <DeleteUpload version={version} artifact={shown} isOnly={model?.artifacts.length === 1} />
                )
              }
            />
          )}
          {shown.leak === 'failed' && (
            <Banner kind="error" title="This model leaks the future">
              {LEAK_MEANS}
            </Banner>
          )}
          {shown.active && <DriftLine version={version} symbol={shown.symbol} timeframe={shown.timeframe} />}
          <Quality artifact={shown} />
          <Findings key={shown.id} artifactId={shown.id} />
          <ArtifactList version={version} artifacts={ofSeries ?? []} shownId={shown.id} isManager={isManager} />
          <ProvenanceCard artifact={shown} />
        </>
      )}
      {model !== undefined && shown === undefined && (
        <Card title="Quality">
          <Box sx={{ mx: -2, mb: -2 }}>
            <EmptyState
              title={`${version} is not trained yet`}
              action={
                <LinkButton variant="contained" to={linkTo(HOME)}>
                  Go to training
                </LinkButton>
              }
            >
              Choose coins and a range in the Data Center, name this version under Training options, and press Train
              latest.
            </EmptyState>
          </Box>
        </Card>
      )}
    </Box>
  )
}
