import { ApiError } from '@shapecast/contracts/client'
import { type Dataset, exportDataset, saveDataset } from '@shapecast/contracts/datasets'
import { type TrainParams, train } from '@shapecast/contracts/trainings'
import { useMutation } from '@tanstack/react-query'
import { call, file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { MOST_CANDLES, trainingStart } from './dataset-window.ts'
import type { DataChoice } from './use-data-choice.ts'

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
