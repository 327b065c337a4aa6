import type { Dataset } from '@shapecast/contracts/datasets'
import { formatDateRange } from '#kit/format/time.ts'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { datasetName, type useDatasetActions } from './use-datasets.ts'

/** Asks before a saved dataset is deleted, and says what becomes of the pickers. */
export function DeleteDatasetDialog({
  dataset,
  remove,
  onClose,
}: {
  dataset: Dataset
  remove: ReturnType<typeof useDatasetActions>['remove']
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Delete dataset?"
      text={
        dataset.active
          ? 'The pickers go back to the last 30 days. The candles themselves stay.'
          : 'The candles themselves stay; the same range can be saved again.'
      }
      subject={`${datasetName(dataset)}, ${formatDateRange(dataset.from, dataset.to)}`}
      confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
      busy={remove.isPending}
      error={remove.isError ? errorInFull(remove.error, 'The dataset could not be deleted.') : undefined}
      onConfirm={() => remove.mutate({ params: { id: dataset.id } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
