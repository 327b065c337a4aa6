import { Button, IconButton } from '@mui/material'
import type { Dataset } from '@shapecast/contracts/datasets'
import { Download, Trash2 } from 'lucide-react'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { datasetName } from './dataset-words.ts'

export interface DatasetRowProps {
  dataset: Dataset
  /** Whether the pickers stand at this dataset's coin and range. */
  isInPickers: boolean
  isBusy: boolean
  isDownloading: boolean
  onUse: () => void
  onLeave: () => void
  onDownload: () => void
  onDelete: () => void
}

const HASH_SHOWN = 12

/** A saved dataset: what it holds, whether the pickers start from it, and what can be done with it. */
export function DatasetRow({
  dataset,
  isInPickers,
  isBusy,
  isDownloading,
  onUse,
  onLeave,
  onDownload,
  onDelete,
}: DatasetRowProps) {
  const name = datasetName(dataset)
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
          <Button variant="text" size="small" aria-label={`Stop using ${name}`} {...busyPress(isBusy, onLeave)}>
            Stop using
          </Button>
        )}
        {!(dataset.active && isInPickers) && (
          <Button
            size="small"
            aria-label={`${dataset.active ? 'Back to' : 'Use'} ${name}`}
            {...busyPress(isBusy, onUse)}
          >
            {dataset.active ? 'Back to its range' : 'Use'}
          </Button>
        )}
        <IconButton size="small" aria-label={`Download ${name}`} {...busyPress(isDownloading, onDownload)}>
          <Download />
        </IconButton>
        <IconButton size="small" aria-label={`Delete ${name}`} {...busyPress(isBusy, onDelete)}>
          <Trash2 />
        </IconButton>
      </Row>
    </Row>
  )
}
