import { firstModel } from '@shapecast/contracts/first-model'
import { mlHealth, models } from '@shapecast/contracts/ml'
import { memo } from 'react'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { inModelOrder, testedVersions } from '#entities/models/model-order.ts'
import { StageFailure, useStageFailure } from '#entities/models/use-stage.tsx'
import { MODEL_TERMS } from '#entities/terms/model-terms.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button, busyButton, LinkButton, useFirstRows } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { HealthDot } from '#kit/ui/chip.tsx'
import { Meanings } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { firstCompared } from '../compare/comparable.ts'
import { ModelRow, useModelTest } from './model-row.tsx'

function ModelHealth() {
  const { data, isError } = useEndpointQuery(mlHealth, {}, { refetchInterval: REFRESH_MS })
  const first = useEndpointQuery(firstModel, {}).data?.state
  // What was known before the server went silent is not known now.
  if (data === undefined || isError) return <HealthDot state="unknown">Unknown</HealthDot>
  if (data.healthy) return <HealthDot state="good">Healthy</HealthDot>
  if (first === 'training') return <HealthDot state="busy">Training</HealthDot>
  return (
    <>
      <HealthDot state="bad">Unhealthy</HealthDot> ·{' '}
      {first === 'waiting' ? 'until the first model is trained' : 'none in production is trained'}
    </>
  )
}

/** Versions shown before all of them are asked for: as many as fill a screen. */
const FIRST_SHOWN = 8

/** The saved versions: stage, accuracy, and what they say of the first chosen coin. */
export const ModelsCard = memo(function ModelsCard({
  series,
  tickSize,
}: {
  series: SeriesChoice | null
  tickSize: number | undefined
}) {
  const reply = useEndpointQuery(models, {}, { refetchInterval: REFRESH_MS })
  const isManager = useIsManager()
  const isSignedIn = useUser() !== null
  const test = useModelTest(series)
  const staging = useStageFailure()
  const list = reply.data === undefined ? [] : inModelOrder(reply.data.models)
  const { shown, foot } = useFirstRows(list, FIRST_SHOWN, ' versions')
  const tested = testedVersions(list)
  const compared = firstCompared(list)
  return (
    <Card
      title="Models"
      flush
      facts={<ModelHealth />}
      actions={
        <Row gap={0.5} align="stretch" wrap style={{ marginRight: -8 }}>
          {tested.length > 1 && isSignedIn && (
            <Button
              variant="text"
              size="small"
              disabled={series === null}
              {...busyButton(test.isTesting, () => void test.testSeveral(tested))}
            >
              Test production
            </Button>
          )}
          {compared.length > 0 && (
            <LinkButton variant="text" size="small" to={paths.compare(compared)}>
              Compare
            </LinkButton>
          )}
          {list.length > 0 && (
            <LinkButton variant="text" size="small" to={paths.record()}>
              Track record
            </LinkButton>
          )}
        </Row>
      }
    >
      {staging.failure !== null && (
        <div style={{ padding: '16px 16px 8px' }}>
          <StageFailure failure={staging.failure} dismiss={staging.dismiss} />
        </div>
      )}
      {list.length > 0 && (
        <ul aria-label="Models" className={layout.list}>
          {shown.map((model) => (
            <ModelRow
              key={model.version}
              model={model}
              isCurrent={model.version === reply.data?.current}
              isManager={isManager}
              test={test.results[model.version]}
              tickSize={tickSize}
              onTest={series === null ? undefined : () => void test.testOne(model.version)}
              onStaged={staging.report}
            />
          ))}
        </ul>
      )}
      {foot}
      {list.length > 0 && <Meanings terms={MODEL_TERMS} flush />}
      {reply.data?.models.length === 0 && (
        <EmptyLine>
          <span>No saved models</span>
          <span style={{ display: 'block', marginTop: 2, color: colors.text3 }}>
            Choose a coin and a range above: 'Train latest' makes the first one.
          </span>
        </EmptyLine>
      )}
      <QueryBoundary reply={reply} of="the models" rows={3} px={44} inset />
    </Card>
  )
})
