import {
  chooseDataset,
  type Dataset,
  datasets,
  deleteDataset,
  exportDataset,
  leaveDataset,
} from '@shapecast/contracts/datasets'
import { useMutation } from '@tanstack/react-query'
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
