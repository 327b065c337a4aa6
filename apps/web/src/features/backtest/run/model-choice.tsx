import { models } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { train, trainingJob } from '@shapecast/contracts/trainings'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Columns, Note } from '#kit/ui/primitives.tsx'
import { ProgressBar, progressPct } from '#kit/ui/progress-bar.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { endpointKey, isUnderWay, untilEnded, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { isTrainedOn } from './backtest-request.ts'
import { SizeNote } from './size-note.tsx'
import { useBacktest } from './use-backtest.ts'
import { assetsOf, modelLabel, whyNothing } from './use-parameters.ts'

/** Which model is tested on which symbol, and with how much. */
export function ModelChoice() {
  const { form, test, choices } = useBacktest()
  const { change, field, errors } = form
  const { parameters, model, timeframe } = test
  const { models, symbols } = choices
  const emptyReason = whyNothing('model', choices)
  const isUntrained =
    model !== undefined && parameters.symbol !== null && !isTrainedOn(model, parameters.symbol, timeframe)
  const { base, quote } = assetsOf(parameters.symbol ?? 'BTCUSDT', undefined)
  return (
    <>
      <SelectField
        label="Model"
        value={parameters.version ?? ''}
        onChange={(version) => change({ version })}
        options={(models ?? []).map((model) => ({ value: model.version, label: modelLabel(model) }))}
        placeholder={models === undefined && emptyReason === undefined ? 'Loading…' : 'Select a model'}
        disabled={models === undefined || models.length === 0}
        help={emptyReason}
      />
      <SelectField
        label="Symbol"
        value={parameters.symbol ?? ''}
        onChange={(symbol) => change({ symbol })}
        options={symbols.map((symbol) => {
          const isTrained = model === undefined || isTrainedOn(model, symbol, timeframe)
          return { value: symbol, label: symbol, ...(isTrained ? {} : { note: 'not trained', dim: true }) }
        })}
        placeholder="Select a symbol"
        disabled={symbols.length === 0}
        // What is not trained says so itself, with the way to train it.
        error={isUntrained ? undefined : errors.symbol}
      />
      {isUntrained && parameters.symbol !== null && (
        <TrainFirst
          key={`${model.version} ${parameters.symbol} ${timeframe}`}
          version={model.version}
          symbol={parameters.symbol}
          timeframe={timeframe}
        />
      )}
      <Columns gap={1.5} at={{ xs: 2 }}>
        <NumberField label="Position Size" {...field('positionSize')} min={0} step={0.001} unit={base} />
        <NumberField label="Initial Balance" {...field('initialBalance')} min={0} unit={quote} />
        <NumberField label="Leverage" {...field('leverage')} min={1} step={1} unit="×" />
        <NumberField
          label="Max Drawdown %"
          {...field('maxDrawdownPct')}
          min={0}
          step={0.5}
          help={parameters.maxDrawdownPct === 0 ? '0 is no limit' : undefined}
        />
      </Columns>
      <SizeNote />
    </>
  )
}

const CANDLES = 5000

/** Says that a version cannot predict the chosen series, and trains it there. Once it can, the models are read again. */
function TrainFirst({ version, symbol, timeframe }: { version: string; symbol: string; timeframe: Timeframe }) {
  const queryClient = useQueryClient()
  const start = useEndpointMutation(train)
  const { data: job } = useEndpointQuery(
    trainingJob,
    { params: { id: start.data?.jobId ?? '' } },
    { enabled: start.isSuccess, refetchInterval: untilEnded() },
  )
  const isDone = job?.status === 'completed'
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: endpointKey(models) })
  }, [isDone, queryClient])
  const isTraining = start.isSuccess && (job === undefined || isUnderWay(job))
  const failure = start.isError
    ? errorText(start.error, 'The training could not be started.')
    : job?.status === 'failed'
      ? (job.error ?? 'The training failed.')
      : job?.status === 'cancelled'
        ? 'The training was cancelled.'
        : null
  return (
    <div role="status" style={{ marginTop: -4 }}>
      <Note tone="warn" style={{ marginBottom: 6 }}>
        {isTraining
          ? `${version} is being trained on ${symbol} ${timeframe}.`
          : `${version} is not trained on ${symbol} ${timeframe}.`}
      </Note>
      {failure !== null && (
        <Note tone="down" style={{ marginBottom: 6 }}>
          {failure}
        </Note>
      )}
      {isTraining ? (
        <ProgressBar
          words={job ? progressWords(job.progress) : 'Starting…'}
          pct={job ? Math.min(99, progressPct(job.progress.current, job.progress.total)) : 0}
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
