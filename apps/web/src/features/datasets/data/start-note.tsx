import { Box, Button, Typography } from '@mui/material'
import { Database } from 'lucide-react'
import { colors } from '#kit/theme/tokens.ts'
import { datasetName } from '../saved/dataset-words.ts'
import type { DataChoice } from './use-data-choice.ts'

/** Tells that the pickers stand at the active dataset, or leads back to it. Nothing where there is none. */
export function StartNote({ choice: { start, isStart, reset } }: { choice: DataChoice }) {
  if (start === null) return null
  return (
    <Typography
      variant="small"
      component="div"
      sx={{ mt: -0.5, display: 'flex', alignItems: 'center', gap: 0.75, color: colors.text2 }}
    >
      <Box component={Database} size={14} aria-hidden sx={{ flexShrink: 0 }} />
      <Box component="span" sx={{ minWidth: 0 }}>
        {isStart ? `The active dataset: ${datasetName(start)}` : `Not the active dataset, ${datasetName(start)}`}
      </Box>
      {!isStart && (
        <Button variant="text" size="small" onClick={reset}>
          Back to it
        </Button>
      )}
    </Typography>
  )
}
