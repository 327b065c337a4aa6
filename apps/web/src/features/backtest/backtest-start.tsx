import { Card } from '@mui/material'
import { backtestRuns } from '@shapecast/contracts/backtest'
import type { Health } from '@shapecast/contracts/market'
import { seriesList } from '@shapecast/contracts/market'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { Text } from '#kit/ui/text.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { firstSteps } from './first-steps.ts'
import type { ParametersControl } from './parameters/use-parameters.ts'

/** The page before a run is open: one sentence on what to do next. */
export function BacktestStart({
  control,
  market,
}: {
  control: ParametersControl
  market: Health['market'] | undefined
}) {
  const isSignedIn = useUser() !== null
  const mayRun = useIsManager()
  const series = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const runs = useEndpointQuery(backtestRuns, { query: { limit: 10 } })
  const models = control.modelList.data?.models
  const steps = firstSteps({
    hasCandles: market === 'replay' ? series.data && series.data.length > 0 : market === undefined ? undefined : true,
    hasTrainedModel: models?.some((model) => model.artifacts.length > 0 || model.stats.accuracy !== null),
    hasBot: control.botList.data && control.botList.data.length > 0,
    isSignedIn,
    mayRun,
    hasRuns: (runs.data?.length ?? 0) > 0,
  })
  return (
    <>
      <Text size="h1">Backtest</Text>
      <Card>
        <EmptyState
          title={steps.title}
          {...(steps.action !== undefined && {
            action: (
              <LinkButton variant="secondary" to={steps.action.to}>
                {steps.action.words}
              </LinkButton>
            ),
          })}
        >
          {steps.text}
        </EmptyState>
      </Card>
    </>
  )
}
