import { Button } from '@mui/material'
import { models } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type TrainingJob, train, trainingJob } from '@shapecast/contracts/trainings'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { busyButton } from '#kit/ui/busy-button.ts'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { progressPct } from '#kit/ui/progress-pct.ts'
import { Note } from '#kit/ui/text.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { endpointKey, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import css from './train-first.module.css'

const CANDLES = 5000
const POLL_MS = 1500

const isUnderWay = (job: TrainingJob | undefined) =>
  job === undefined || job.status === 'queued' || job.status === 'running'

/** Says that a version cannot predict the chosen series, and trains it there. Once it can, the models are read again. */
export function TrainFirst({ version, symbol, timeframe }: { version: string; symbol: string; timeframe: Timeframe }) {
  const queryClient = useQueryClient()
  const start = useEndpointMutation(train)
  const { data: job } = useEndpointQuery(
    trainingJob,
    { params: { id: start.data?.jobId ?? '' } },
    { enabled: start.isSuccess, refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MS : false) },
  )
  const isDone = job?.status === 'completed'
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: endpointKey(models) })
  }, [isDone, queryClient])
  const isTraining = start.isSuccess && isUnderWay(job)
  const failure = start.isError
    ? errorText(start.error, 'The training could not be started.')
    : job?.status === 'failed'
      ? (job.error ?? 'The training failed.')
      : job?.status === 'cancelled'
        ? 'The training was cancelled.'
        : null
  return (
    <div role="status" style={{ marginTop: -4 }}>
      <Note tone="warn" className={css.line}>
        {isTraining
          ? `${version} is being trained on ${symbol} ${timeframe}.`
          : `${version} is not trained on ${symbol} ${timeframe}.`}
      </Note>
      {failure !== null && (
        <Note tone="down" className={css.line}>
          {failure}
        </Note>
      )}
      {isTraining ? (
        <ProgressBar
          words={job === undefined ? 'Starting…' : progressWords(job.progress)}
          pct={job === undefined ? 0 : Math.min(99, progressPct(job.progress.current, job.progress.total))}
        />
      ) : (
        !isDone && (
          <Button
            size="small"
            {...busyButton(start.isPending, () =>
              start.mutate({ body: { version, symbol, timeframe, limit: CANDLES } }),
            )}
          >
            {start.isPending ? 'Starting…' : `Train ${version} on ${symbol} ${timeframe}`}
          </Button>
        )
      )}
    </div>
  )
}
