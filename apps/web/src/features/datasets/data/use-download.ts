import { exportDataset } from '@shapecast/contracts/datasets'
import { useMutation } from '@tanstack/react-query'
import { file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import type { DataChoice } from './use-data-choice.ts'

type Wanted = Pick<DataChoice, 'coins' | 'timeframe' | 'window' | 'counts'>

/** Downloads the dataset of each coin, one file after the other. */
export const useDownload = () =>
  useMutation({
    mutationFn: async ({ coins, timeframe, window, counts }: Wanted) => {
      for (const symbol of coins) {
        const to = window.toMs === null ? undefined : window.toMs - 1
        const received = await file(exportDataset, { query: { symbol, timeframe, limit: counts.rows, to } })
        saveFile(received, `dataset-${symbol}-${timeframe}-${counts.rows}.zip`)
      }
    },
  })
