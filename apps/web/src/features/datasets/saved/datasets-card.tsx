import type { Dataset } from '@shapecast/contracts/datasets'
import { lazy, memo, Suspense, useState } from 'react'
import { formatCount } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { ShowAll } from '#kit/ui/show-all.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { DatasetRow } from './dataset-row.tsx'
import { useDatasetActions, useDatasets } from './use-datasets.ts'

const DeleteDatasetDialog = lazy(async () => ({
  default: (await import('./delete-dataset-dialog.tsx')).DeleteDatasetDialog,
}))

export const DATASETS_ID = 'datasets'
const FIRST_SHOWN = 5

/** The caller's saved datasets: which one the pickers start from, to use, take along or delete. */
export const DatasetsCard = memo(function DatasetsCard({
  isInPickers,
  backToStart,
}: {
  /** Whether the pickers stand where they start, at the active dataset if there is one. */
  isInPickers: boolean
  /** Puts the pickers there. */
  backToStart: () => void
}) {
  const isSignedIn = useUser() !== null
  const list = useDatasets()
  const { choose, leave, remove, download } = useDatasetActions()
  const [deleted, setDeleted] = useState<Dataset | null>(null)
  const [areAllShown, setAreAllShown] = useState(false)
  const all = list.data ?? []
  const failed = [choose, leave, download].find((action) => action.isError)
  const use = (dataset: Dataset) => {
    if (dataset.active) backToStart()
    else choose.mutate({ body: { id: dataset.id } }, { onSuccess: backToStart })
  }
  return (
    <div id={DATASETS_ID}>
      <Card title="Datasets" facts={all.length === 0 ? undefined : `${formatCount(all.length)} saved`} flush>
        {failed !== undefined && (
          <div style={{ padding: '16px 16px 8px' }}>
            <Banner
              kind="error"
              title={failed === download ? 'The dataset could not be downloaded' : 'The dataset could not be chosen'}
              onDismiss={failed.reset}
            >
              {errorDetail(failed.error) ?? errorText(failed.error, 'Try again in a moment.')}
            </Banner>
          </div>
        )}
        <ul aria-label="Datasets" className={layout.list}>
          {(areAllShown ? all : all.slice(0, FIRST_SHOWN)).map((dataset) => (
            <DatasetRow
              key={dataset.id}
              dataset={dataset}
              isInPickers={isInPickers}
              isBusy={choose.isPending || leave.isPending}
              isDownloading={download.isPending && download.variables.id === dataset.id}
              onUse={() => use(dataset)}
              onLeave={() => leave.mutate({})}
              onDownload={() => download.mutate(dataset)}
              onDelete={() => {
                remove.reset()
                setDeleted(dataset)
              }}
            />
          ))}
        </ul>
        {all.length > FIRST_SHOWN && !areAllShown && (
          <ShowAll onClick={() => setAreAllShown(true)}>{`Show all ${formatCount(all.length)}`}</ShowAll>
        )}
        {list.data?.length === 0 && (
          <EmptyLine>
            No saved datasets. 'Save dataset' keeps which candles you work with, to come back to them.
          </EmptyLine>
        )}
        {!isSignedIn && <EmptyLine>Sign in to keep datasets</EmptyLine>}
        <Awaited reply={list} title="The datasets could not be loaded" inset>
          <ListSkeleton label="Loading the datasets" rowHeightPx={40} rows={1} />
        </Awaited>
      </Card>
      {deleted !== null && (
        <Suspense>
          <DeleteDatasetDialog dataset={deleted} remove={remove} onClose={() => setDeleted(null)} />
        </Suspense>
      )}
    </div>
  )
})
