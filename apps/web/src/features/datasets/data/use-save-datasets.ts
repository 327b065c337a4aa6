import { ApiError } from '@shapecast/contracts/client'
import { type Dataset, saveDataset } from '@shapecast/contracts/datasets'
import { useMutation } from '@tanstack/react-query'
import { call } from '#wire/calls/client.ts'
import type { DataChoice } from './use-data-choice.ts'

type Wanted = Pick<DataChoice, 'coins' | 'timeframe' | 'window' | 'counts' | 'key'>

export interface SaveOutcome {
  readonly saved: readonly Dataset[]
  readonly failures: readonly { readonly symbol: string; readonly text: string }[]
}

/** Keeps the dataset of each coin, as it would be downloaded. What one coin is refused does not hold up the others. */
export function useSaveDatasets() {
  return useMutation({
    mutationFn: async ({ coins, timeframe, window, counts }: Wanted): Promise<SaveOutcome> => {
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
