import type { Dataset } from '@shapecast/contracts/datasets'
import { Download, Trash2 } from 'lucide-react'
import { memo, useState } from 'react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton, IconButton, useFirstRows } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { confirming } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { datasetName, useDatasetActions, useDatasets } from './use-datasets.ts'

const ConfirmDialog = onDemand(async () => (await import('#kit/ui/dialog.tsx')).ConfirmDialog)

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
  const all = list.data ?? []
  const { shown, foot } = useFirstRows(all, FIRST_SHOWN)
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
          {shown.map((dataset) => (
            <DatasetRow
              key={dataset.id}
              dataset={dataset}
              isInPickers={isInPickers}
              isBusy={choose.isPending || leave.isPending}
              actions={{ leave, download }}
              onUse={() => use(dataset)}
              onDelete={() => {
                remove.reset()
                setDeleted(dataset)
              }}
            />
          ))}
        </ul>
        {foot}
        {list.data?.length === 0 && (
          <EmptyLine>
            No saved datasets. 'Save dataset' keeps which candles you work with, to come back to them.
          </EmptyLine>
        )}
        {!isSignedIn && <EmptyLine>Sign in to keep datasets</EmptyLine>}
        <QueryBoundary reply={list} of="the datasets" rows={1} px={40} inset />
      </Card>
      {deleted !== null && (
        <ConfirmDialog
          title="Delete dataset?"
          text={
            deleted.active
              ? 'The pickers go back to the last 30 days. The candles themselves stay.'
              : 'The candles themselves stay; the same range can be saved again.'
          }
          subject={`${datasetName(deleted)}, ${formatDateRange(deleted.from, deleted.to)}`}
          {...confirming(remove, 'Delete', 'Deleting…', 'The dataset could not be deleted.')}
          onConfirm={() => remove.mutate({ params: { id: deleted.id } }, { onSuccess: () => setDeleted(null) })}
          onClose={() => setDeleted(null)}
        />
      )}
    </div>
  )
})

const HASH_SHOWN = 12

function DatasetRow({
  dataset,
  isInPickers,
  isBusy,
  actions: { leave, download },
  onUse,
  onDelete,
}: {
  dataset: Dataset
  /** Whether the pickers stand at this dataset's coin and range. */
  isInPickers: boolean
  isBusy: boolean
  actions: Pick<ReturnType<typeof useDatasetActions>, 'leave' | 'download'>
  onUse: () => void
  onDelete: () => void
}) {
  const name = datasetName(dataset)
  const isDownloading = download.isPending && download.variables.id === dataset.id
  return (
    <Row as="li" aria-label={name} gap={2} lineGap={1} wrap className={layout.listRow}>
      <div style={{ flex: '1 1 300px', minWidth: 0 }}>
        <Row gap={1} lineGap={0.5} wrap>
          <Text as="span" weight={500}>
            {dataset.symbol}
          </Text>
          <Chip label={dataset.timeframe} tone="outline" />
          {dataset.active && <Chip label="active" tone="accent" title="The pickers start from this dataset" />}
        </Row>
        <Text size="small" tone="text2" above={0.5}>
          {formatDateRange(dataset.from, dataset.to)} · {formatCounted(dataset.rows, 'row')} ·{' '}
          <span title={`SHA-256 of its candles: ${dataset.hash}`}>fingerprint {dataset.hash.slice(0, HASH_SHOWN)}</span>{' '}
          · saved <Ago ms={dataset.createdAt} />
          {dataset.active && ' · the pickers above start from it'}
        </Text>
      </div>
      <Row gap={1} className={layout.end}>
        {dataset.active && (
          <Button
            variant="text"
            size="small"
            aria-label={`Stop using ${name}`}
            {...busyButton(isBusy, () => leave.mutate({}))}
          >
            Stop using
          </Button>
        )}
        {!(dataset.active && isInPickers) && (
          <Button
            size="small"
            aria-label={`${dataset.active ? 'Back to' : 'Use'} ${name}`}
            {...busyButton(isBusy, onUse)}
          >
            {dataset.active ? 'Back to its range' : 'Use'}
          </Button>
        )}
        <IconButton
          size="small"
          aria-label={`Download ${name}`}
          {...busyButton(isDownloading, () => download.mutate(dataset))}
        >
          <Download />
        </IconButton>
        <IconButton size="small" aria-label={`Delete ${name}`} {...busyButton(isBusy, onDelete)}>
          <Trash2 />
        </IconButton>
      </Row>
    </Row>
  )
}
