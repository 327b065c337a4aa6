import { type FirstModel, firstModel } from '@shapecast/contracts/first-model'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { ProgressBar, progressPct } from '#kit/ui/progress-bar.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { progressWords } from './progress-words.ts'

const POLL_MS: Readonly<Record<FirstModel['state'], number | false>> = {
  training: 1_500,
  waiting: 3_000,
  failed: 30_000,
  done: false,
}

/** How far the first model is, as it is known now; `useFirstModel` keeps that fresh. */
export const useFirstModelState = () => useEndpointQuery(firstModel, {})

/**
 * How far the model is that a new installation trains by itself. When it comes, everything on the page is asked for
 * again, since most of it was waiting for a model.
 */
export function useFirstModel(): FirstModel | undefined {
  const queryClient = useQueryClient()
  const { data } = useEndpointQuery(
    firstModel,
    {},
    { refetchInterval: ({ state }) => POLL_MS[state.data?.state ?? 'done'] },
  )
  const state = data?.state
  const before = useRef(state)
  useEffect(() => {
    const hasCome = state === 'done' && before.current !== undefined && before.current !== 'done'
    before.current = state
    if (hasCome) void queryClient.invalidateQueries()
  }, [queryClient, state])
  return data
}

/**
 * What a new installation is doing before it has a model: nothing once it has one. `isListed` where its training is shown
 * elsewhere on the page.
 */
export function FirstModelNote({ isListed = false }: { isListed?: boolean }) {
  const model = useFirstModel()
  if (model === undefined || (isListed && model.state === 'training')) return null
  return <FirstModelBanner model={model} />
}

function FirstModelBanner({ model }: { model: FirstModel }) {
  const { state, progress, candlesNeeded, candlesReady, error } = model
  const name = `${model.version} on ${model.symbol} ${model.timeframe}`
  switch (state) {
    case 'waiting':
      return candlesReady ? (
        <Banner kind="info" title={`The first model is about to be trained: ${name}`}>
          The candles that it needs are stored. It begins by itself within half a minute.
        </Banner>
      ) : (
        <Banner kind="info" title="There is no model yet">
          The first one, {name}, is trained by itself soon after this market has{' '}
          {formatCounted(candlesNeeded, 'candle')} of {model.symbol} {model.timeframe}.
        </Banner>
      )
    case 'training':
      return (
        <Banner kind="info" title={`The first model is being trained: ${name}`}>
          {progress !== null && (
            <div style={{ marginBlock: '4px 8px' }}>
              <ProgressBar
                words={progressWords(progress)}
                pct={Math.min(99, progressPct(progress.current, progress.total))}
              />
            </div>
          )}
          Signals, forecasts and the track record appear by themselves when it is there.
          {progress?.secondsLeft == null && ' That mostly takes a few minutes.'}
        </Banner>
      )
    case 'failed':
      return (
        <Banner kind="warning" title={`The first model, ${name}, was not trained`}>
          {error} Train one with 'Train latest' in the Data Center.
        </Banner>
      )
    case 'done':
      return null
    default:
      return state satisfies never
  }
}
