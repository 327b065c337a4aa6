import { ApiError } from '@shapecast/contracts/client'
import { exportDataset, saveDataset } from '@shapecast/contracts/datasets'
import { type TrainParams, train } from '@shapecast/contracts/trainings'
import { useMutation } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateRange } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Text } from '#kit/ui/primitives.tsx'
import { call, file } from '#wire/calls/client.ts'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import { DATASETS_ID } from '../saved/datasets-card.tsx'
import { datasetName } from '../saved/use-datasets.ts'
import { usePreview } from './preview-cards.tsx'
import { type DataChoice, MOST_CANDLES, trainingStart } from './use-data-choice.ts'

type Chosen = Pick<DataChoice, 'coins' | 'timeframe' | 'window' | 'counts'>

interface CoinFailure {
  readonly symbol: string
  readonly text: string
  readonly tooFewCandles: boolean
  /** Whether the service refused it, rather than could not be asked. */
  readonly isRefused: boolean
}

/** Acts on each coin. What one coin is refused does not hold up the others. */
async function forEachCoin<Done>(coins: readonly string[], act: (symbol: string) => Promise<Done>, failed: string) {
  const done: Done[] = []
  const failures: CoinFailure[] = []
  for (const symbol of coins)
    try {
      done.push(await act(symbol))
    } catch (error) {
      const refusal = error instanceof ApiError ? error : null
      failures.push({
        symbol,
        text: refusal?.message ?? failed,
        isRefused: refusal?.fromServer === true && refusal.status < 500,
        tooFewCandles: refusal?.code === 'too_few_candles',
      })
    }
  return { done, failures }
}

interface Training extends Pick<Chosen, 'coins' | 'timeframe' | 'window'> {
  readonly version: string
  readonly params: TrainParams
  /** The range is too short to train on: the newest candles that there are, then. */
  readonly takesNewest: boolean
}

const useTrain = () =>
  useMutation({
    mutationFn: async ({ coins, timeframe, window: { fromMs, toMs }, version, params, takesNewest }: Training) => {
      if (fromMs === null || toMs === null) return { done: [], failures: [] }
      const candles = takesNewest
        ? { limit: MOST_CANDLES }
        : { from: trainingStart(fromMs, toMs, timeframe), to: toMs - 1 }
      return forEachCoin(
        coins,
        (symbol) => call(train, { body: { version, symbol, timeframe, ...candles, params } }),
        'The training could not be started.',
      )
    },
    meta: { changes: [train] },
  })

const lastOf = ({ toMs }: Chosen['window']) => (toMs === null ? undefined : toMs - 1)

/** Keeps the dataset of each coin, as it would be downloaded. */
const useSaveDatasets = () =>
  useMutation({
    mutationFn: ({ coins, timeframe, window, counts }: Chosen & Pick<DataChoice, 'key'>) =>
      forEachCoin(
        coins,
        (symbol) => call(saveDataset, { body: { symbol, timeframe, limit: counts.rows, to: lastOf(window) } }),
        'Try again in a moment.',
      ),
    meta: { changes: [saveDataset] },
  })

const useDownload = () =>
  useMutation({
    mutationFn: async ({ coins, timeframe, window, counts }: Chosen) => {
      for (const symbol of coins) {
        const query = { symbol, timeframe, limit: counts.rows, to: lastOf(window) }
        const received = await file(exportDataset, { query })
        saveFile(received, `dataset-${symbol}-${timeframe}-${counts.rows}.zip`)
      }
    },
  })

function CoinFailures({
  failures,
  failed,
  onDismiss,
  action,
}: {
  failures: readonly CoinFailure[]
  failed: string
  onDismiss: () => void
  action?: ReactNode
}) {
  if (failures[0] === undefined) return null
  return (
    <Banner
      kind="error"
      title={`${failures.map(({ symbol }) => symbol).join(', ')} ${failed}`}
      onDismiss={onDismiss}
      action={action}
    >
      {failures[0].text}
    </Banner>
  )
}

const reasonOf = (error: Error) => errorDetail(error) ?? errorText(error, 'Try again in a moment.')

/** What is done with what is chosen; what failed before says nothing of what is tried now. */
export function useDataActions({ coins, timeframe, window, counts, key }: DataChoice) {
  const [preview, download, train, save] = [usePreview(), useDownload(), useTrain(), useSaveDatasets()]
  return {
    preview,
    download,
    train,
    save,
    wanted: { coins, timeframe, window, counts, key },
    /** Of what is chosen now. */
    isCurrent: (action: { variables: { key: string } | undefined }) => action.variables?.key === key,
    forgetFailures: () => {
      for (const action of [preview, download, train, save]) if (action.isError) action.reset()
      for (const action of [train, save]) if ((action.data?.failures.length ?? 0) > 0) action.reset()
    },
  }
}

/** What came of the buttons of the Data card, each with a way on. */
export function DataMessages({
  actions: { preview, download, train, save: saving, isCurrent },
  onMoreCandles,
}: {
  actions: ReturnType<typeof useDataActions>
  onMoreCandles: () => void
}) {
  const save = isCurrent(saving) ? saving : null
  const previewError = isCurrent(preview) ? preview.error : null
  const failures = train.data?.failures ?? []
  const saved = save?.data?.done ?? []
  return (
    <>
      {save !== null && saved[0] !== undefined && (
        <Banner kind="info" title={`Saved: ${saved.map(datasetName).join('; ')}`} onDismiss={save.reset}>
          {formatDateRange(saved[0].from, saved[0].to)}, with the 400 candles after it kept apart to judge models by.{' '}
          <Link href={`#${DATASETS_ID}`}>See the datasets</Link>
        </Banner>
      )}
      {save !== null && (
        <CoinFailures failures={save.data?.failures ?? []} failed="could not be saved" onDismiss={save.reset} />
      )}
      {previewError !== null && (
        <Banner kind="error" title="The preview could not be loaded">
          {reasonOf(previewError)}
        </Banner>
      )}
      {download.isError && (
        <Banner kind="error" title="The dataset could not be downloaded" onDismiss={download.reset}>
          {reasonOf(download.error)}
        </Banner>
      )}
      <CoinFailures
        failures={failures}
        failed={failures[0]?.isRefused ? 'cannot be trained' : 'could not be sent to training'}
        onDismiss={train.reset}
        action={
          failures[0]?.tooFewCandles && (
            <Button size="small" onClick={onMoreCandles}>
              Choose 5,000 candles
            </Button>
          )
        }
      />
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
