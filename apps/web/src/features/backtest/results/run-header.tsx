import { Box, Typography } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import { FlaskConical } from 'lucide-react'
import { runName } from '#entities/runs/run-name.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { runChips } from './run-chips.ts'

/** Whose run it is, and its facts. */
export function RunHeader({ run }: { run: BacktestRun }) {
  return (
    <Box sx={headerStyle}>
      <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
        {runName(run)}
      </Typography>
      <Box
        component="ul"
        aria-label="Run"
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, m: 0, p: 0, listStyle: 'none' }}
      >
        {run.market === 'simulated' && (
          <li>
            <Chip label="Simulated market" tone="warn" icon={<FlaskConical />} />
          </li>
        )}
        {runChips(run).map((text) => (
          <li key={text}>
            <Chip label={text} />
          </li>
        ))}
      </Box>
    </Box>
  )
}

/** The first of its column, before the form too. */
const headerStyle = {
  order: -1,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 1.75,
  rowGap: 1,
} as const
