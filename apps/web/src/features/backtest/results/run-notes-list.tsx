import { Box, Typography } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import { Info, TriangleAlert } from 'lucide-react'
import { colors } from '#kit/theme/tokens.ts'
import { runNotes } from './run-notes.ts'

/** What a reader of the figures must know, line by line. Nothing where there is nothing to say. */
export function RunNotesList({ run }: { run: BacktestRun }) {
  const notes = runNotes(run)
  if (notes.length === 0) return null
  return (
    <Box component="ul" aria-label="About this run" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5 }}>
      {notes.map(({ id, text, caution }) => (
        <Box component="li" key={id} sx={{ display: 'flex', gap: 1, color: caution ? colors.warn : colors.text3 }}>
          <Box sx={{ display: 'flex', pt: '2px', flexShrink: 0 }}>
            {caution ? <TriangleAlert size={14} /> : <Info size={14} />}
          </Box>
          <Typography variant="small" sx={{ color: caution ? colors.text : colors.text2 }}>
            {text}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
