import {
  chooseDataset,
  type Dataset,
  datasets,
  deleteDataset,
  exportDataset,
  leaveDataset,
} from '@shapecast/contracts/datasets'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import { useMutation } from '@tanstack/react-query'
import type { TimeRange } from '#entities/markets/market-range.ts'
import { formatCounted } from '#kit/format/number.ts'
import { file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'

/** The caller's saved datasets, the newest first; none are asked for while nobody is signed in. */
export const useDatasets = () => useEndpointQuery(datasets, {}, { enabled: useUser() !== null, staleTime: 30_000 })

/** The dataset that the pickers start from; null where none is chosen, or while it is not known. */
export const useActiveDataset = (): Dataset | null => useDatasets().data?.find(({ active }) => active) ?? null

/** What can be done with a saved dataset; each brings the list up to date. */
export function useDatasetActions() {
  return {
    choose: useEndpointMutation(chooseDataset),
    leave: useEndpointMutation(leaveDataset),
    remove: useEndpointMutation(deleteDataset),
    download: useMutation({
      mutationFn: async ({ symbol, timeframe, rows, to }: Dataset) => {
        const received = await file(exportDataset, { query: { symbol, timeframe, limit: rows, last: to } })
        saveFile(received, `dataset-${symbol}-${timeframe}-${rows}.zip`)
      },
    }),
  }
}

/** `BTCUSDT 1h, 320 rows` */
export const datasetName = ({ symbol, timeframe, rows }: Pick<Dataset, 'symbol' | 'timeframe' | 'rows'>): string =>
  `${symbol} ${timeframe}, ${formatCounted(rows, 'row')}`

/**
 * The range that has a dataset as its export: its rows, and after them the 400 candles that judge models, as far as the
 * market has come.
 */
export const rangeOfDataset = (
  { from, to, timeframe }: Pick<Dataset, 'from' | 'to' | 'timeframe'>,
  nowMs: number,
): TimeRange => {
  const stepMs = TIMEFRAME_MS[timeframe]
  return { fromMs: from, toMs: Math.max(to + stepMs, Math.min(to + (HOLDOUT_CANDLES + 1) * stepMs, nowMs)) }
}
