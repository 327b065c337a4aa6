import { ApiError } from '@shapecast/contracts/client'
import { type Dataset, exportDataset, saveDataset } from '@shapecast/contracts/datasets'
import { type TrainParams, train } from '@shapecast/contracts/trainings'
import { useMutation } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { formatDateRange } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link } from '#kit/ui/link.tsx'
import { Text } from '#kit/ui/text.tsx'
import { call, file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import { DATASETS_ID } from '../saved/datasets-card.tsx'
import { datasetName } from '../saved/use-datasets.ts'
import { type DataChoice, MOST_CANDLES, trainingStart } from './use-data-choice.ts'

type Chosen = Pick<DataChoice, 'coins' | 'timeframe' | 'window' | 'counts'>

interface Training extends Pick<Chosen, 'coins' | 'timeframe' | 'window'> {
  readonly version: string
  readonly params: TrainParams
  /** The range is too short to train on: the newest candles that there are, then. */
  readonly takesNewest: boolean
}

export interface TrainFailure {
  readonly symbol: string
  readonly text: string
  readonly tooFewCandles: boolean
  /** Whether the service refused it, rather than could not be asked. */
  readonly isRefused: boolean
}

/** Sends one training a coin. What one coin is refused does not hold up the others; the refusals are returned. */
export function useTrain() {
  return useMutation({
    mutationFn: async ({
      coins,
      timeframe,
      window,
      version,
      params,
      takesNewest,
    }: Training): Promise<TrainFailure[]> => {
      const { fromMs, toMs } = window
      if (fromMs === null || toMs === null) return []
      const candles = takesNewest
        ? { limit: MOST_CANDLES }
        : { from: trainingStart(fromMs, toMs, timeframe), to: toMs - 1 }
      const failures: TrainFailure[] = []
      for (const symbol of coins) {
        try {
          await call(train, { body: { version, symbol, timeframe, ...candles, params } })
        } catch (error) {
          console.warn(`Training ${version} on ${symbol} could not be started.`, error)
          failures.push({
            symbol,
            text: error instanceof ApiError ? error.message : 'The training could not be started.',
            isRefused: error instanceof ApiError && error.fromServer && error.status < 500,
            tooFewCandles: error instanceof ApiError && error.code === 'too_few_candles',
          })
        }
      }
      return failures
    },
    meta: { changes: [train] },
  })
}

export interface SaveOutcome {
  readonly saved: readonly Dataset[]
  readonly failures: readonly { readonly symbol: string; readonly text: string }[]
}

/** Keeps the dataset of each coin, as it would be downloaded. What one coin is refused does not hold up the others. */
export function useSaveDatasets() {
  return useMutation({
    mutationFn: async ({
      coins,
      timeframe,
      window,
      counts,
    }: Chosen & Pick<DataChoice, 'key'>): Promise<SaveOutcome> => {
      const saved: Dataset[] = []
      const failures: { symbol: string; text: string }[] = []
      for (const symbol of coins)
        try {
          const to = window.toMs === null ? undefined : window.toMs - 1
          saved.push(await call(saveDataset, { body: { symbol, timeframe, limit: counts.rows, to } }))
        } catch (error) {
          failures.push({ symbol, text: error instanceof ApiError ? error.message : 'Try again in a moment.' })
        }
      return { saved, failures }
    },
    meta: { changes: [saveDataset] },
  })
}

/** Downloads the dataset of each coin, one file after the other. */
export const useDownload = () =>
  useMutation({
    mutationFn: async ({ coins, timeframe, window, counts }: Chosen) => {
      for (const symbol of coins) {
        const to = window.toMs === null ? undefined : window.toMs - 1
        const received = await file(exportDataset, { query: { symbol, timeframe, limit: counts.rows, to } })
        saveFile(received, `dataset-${symbol}-${timeframe}-${counts.rows}.zip`)
      }
    },
  })

/** What the buttons of the Data card could not do, each with a way on. */
export function DataMessages({
  previewError,
  downloadError,
  trainFailures,
  onDismissTraining,
  onDismissDownload,
  onMoreCandles,
}: {
  previewError: string | null
  downloadError: string | null
  trainFailures: readonly TrainFailure[]
  onDismissTraining: () => void
  onDismissDownload: () => void
  onMoreCandles: () => void
}) {
  const [first, ...others] = trainFailures
  return (
    <>
      {previewError !== null && (
        <Banner kind="error" title="The preview could not be loaded">
          {previewError}
        </Banner>
      )}
      {downloadError !== null && (
        <Banner kind="error" title="The dataset could not be downloaded" onDismiss={onDismissDownload}>
          {downloadError}
        </Banner>
      )}
      {first !== undefined && (
        <Banner
          kind="error"
          title={`${[first, ...others].map(({ symbol }) => symbol).join(', ')} ${first.isRefused ? 'cannot be trained' : 'could not be sent to training'}`}
          onDismiss={onDismissTraining}
          action={
            first.tooFewCandles ? (
              <Button size="small" onClick={onMoreCandles}>
                Choose 5,000 candles
              </Button>
            ) : undefined
          }
        >
          {first.text}
        </Banner>
      )}
    </>
  )
}

/** What came of 'Save dataset': what is kept now, and what could not be. */
export function SaveMessages({ outcome, onDismiss }: { outcome: SaveOutcome | undefined; onDismiss: () => void }) {
  if (outcome === undefined) return null
  const { saved, failures } = outcome
  const [first] = saved
  return (
    <>
      {first !== undefined && (
        <Banner kind="info" title={`Saved: ${saved.map(datasetName).join('; ')}`} onDismiss={onDismiss}>
          {formatDateRange(first.from, first.to)}, with the 400 candles after it kept apart to judge models by.{' '}
          <Link href={`#${DATASETS_ID}`}>See the datasets</Link>
        </Banner>
      )}
      {failures[0] !== undefined && (
        <Banner
          kind="error"
          title={`${failures.map(({ symbol }) => symbol).join(', ')} could not be saved`}
          onDismiss={onDismiss}
        >
          {failures[0].text}
        </Banner>
      )}
    </>
  )
}

/** What to do first where the market is made of imported candles and there are none yet. */
export function NoCandlesNote({ onImport }: { onImport: () => void }) {
  const isManager = useIsManager()
  return (
    <Banner kind="info" title="This market has no candles yet">
      {isManager ? (
        <>
          First{' '}
          <Link as="button" type="button" onClick={onImport}>
            import a file of candles
          </Link>
          ; then preview it and train a model on it.
        </>
      ) : (
        'An admin or a manager imports them here; then models can be trained on them.'
      )}
    </Banner>
  )
}

/** Tells that the pickers stand at the active dataset, or leads back to it. Nothing where there is none. */
export function StartNote({ choice: { start, isStart, reset } }: { choice: DataChoice }) {
  if (start === null) return null
  return (
    <Text as="div" size="small" tone="text2" above={-0.5} style={{ display: 'flex', alignItems: 'center', gap: 6 }}>
      <Database size={14} aria-hidden style={{ flexShrink: 0 }} />
      <span className={layout.shrinks}>
        {isStart ? `The active dataset: ${datasetName(start)}` : `Not the active dataset, ${datasetName(start)}`}
      </span>
      {!isStart && (
        <Button variant="text" size="small" onClick={reset}>
          Back to it
        </Button>
      )}
    </Text>
  )
}
