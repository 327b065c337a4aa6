import { backtestRuns } from '@shapecast/contracts/backtest'
import { LinkButton } from '#kit/ui/button.tsx'
import card from '#kit/ui/card.module.css'
import { EmptyState } from '#kit/ui/card.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { useBacktest } from './run/use-backtest.ts'

/** The page before a run is open: one sentence on what to do next. */
export function BacktestStart() {
  const { bots, models, series } = useBacktest().choices
  const market = useHealth().data?.market
  const isSignedIn = useUser() !== null
  const mayRun = useIsManager()
  const runs = useEndpointQuery(backtestRuns, { query: { limit: 10 } })
  const steps = firstSteps({
    hasCandles: market === 'replay' ? series && series.length > 0 : market === undefined ? undefined : true,
    hasTrainedModel: models?.some((model) => model.artifacts.length > 0 || model.stats.accuracy !== null),
    hasBot: bots && bots.length > 0,
    isSignedIn,
    mayRun,
    hasRuns: (runs.data?.length ?? 0) > 0,
  })
  return (
    <>
      <Text size="h1">Backtest</Text>
      <div className={card.card}>
        <EmptyState
          title={steps.title}
          action={steps.action && <LinkButton to={steps.action.to}>{steps.action.words}</LinkButton>}
        >
          {steps.text}
        </EmptyState>
      </div>
    </>
  )
}

/** What a person is to do before there is a run to see, by what is missing, and the way to it. `undefined` is not yet known. */
export function firstSteps(state: {
  /** Whether there are candles; true where the market makes or fetches its own. */
  hasCandles: boolean | undefined
  hasTrainedModel: boolean | undefined
  hasBot: boolean | undefined
  isSignedIn: boolean
  mayRun: boolean
  hasRuns: boolean
}) {
  if (!state.isSignedIn)
    return { title: 'Sign in to see a run', text: 'Its chart, trades and figures open from Saved Runs once you have.' }
  if (state.hasCandles === false)
    return {
      title: 'No candles yet',
      text: 'A backtest runs on stored candles. Import a file of candles first.',
      action: { words: 'Import candles', to: paths.dataCenter },
    }
  if (state.hasTrainedModel === false)
    return {
      title: 'No trained model yet',
      text: 'A backtest asks a trained model at every candle. Training one takes about a minute.',
      action: { words: 'Train a model', to: paths.dataCenter },
    }
  if (!state.mayRun)
    return {
      title: 'Open a saved run',
      text: state.hasRuns
        ? 'Managers and admins run backtests. Press Open beside a saved run to see its chart, trades and figures.'
        : 'Managers and admins run backtests. Their runs of public bots will be listed under Saved Runs.',
    }
  return {
    title: 'No run open',
    text:
      state.hasBot === false
        ? 'Choose Model Only, a model and a range, then press Run Backtest.'
        : 'Choose a bot or a model and a range, then press Run Backtest. Or open a saved run.',
  }
}
