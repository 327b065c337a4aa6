import { Box, Button, IconButton, Typography } from '@mui/material'
import type { Dataset } from '@shapecast/contracts/datasets'
import { Download, Trash2 } from 'lucide-react'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { listRow } from '#kit/ui/page-layout.ts'
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
    <Box component="li" aria-label={name} sx={rowStyle}>
      <Box sx={{ flex: '1 1 300px', minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1, rowGap: 0.5 }}>
          <Typography component="span" sx={{ fontWeight: 500 }}>
            {dataset.symbol}
          </Typography>
          <Chip label={dataset.timeframe} tone="outline" />
          {dataset.active && <Chip label="active" tone="accent" title="The pickers start from this dataset" />}
        </Box>
        <Typography variant="small" component="p" sx={{ m: 0, mt: 0.5, color: colors.text2 }}>
          {formatDateRange(dataset.from, dataset.to)} · {formatCounted(dataset.rows, 'row')} ·{' '}
          <span title={`SHA-256 of its candles: ${dataset.hash}`}>fingerprint {dataset.hash.slice(0, HASH_SHOWN)}</span>{' '}
          · saved <Ago ms={dataset.createdAt} />
          {dataset.active && ' · the pickers above start from it'}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, ml: 'auto' }}>
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
      </Box>
    </Box>
  )
}

const rowStyle = {
  ...listRow,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 2,
  rowGap: 1,
} as const
