import { Box, Button, Typography } from '@mui/material'
import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { directionOf } from '../../../shared/format/number.ts'
import { formatChangePct } from '../../../shared/format/percent.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Chip } from '../../../shared/ui/chip.tsx'
import { directionColor } from '../../../shared/ui/tone.ts'
import { runCaution, runLine, runModelText } from './run-summary.ts'

/** One saved run: whose, of which model, what came out, and the way to it. */
export function SavedRunRow({
  run,
  isOpen,
  nowMs,
  onOpen,
}: {
  run: BacktestRunSummary
  isOpen: boolean
  nowMs: number
  onOpen: () => void
}) {
  const model = runModelText(run.params)
  const caution = runCaution(run)
  return (
    <Box
      component="li"
      {...(isOpen && { 'aria-current': 'true' as const })}
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 56,
        px: 2,
        py: 0.75,
        '& + &': { borderTop: `1px solid ${colors.divider}` },
        ...(isOpen && {
          backgroundColor: colors.rowHover,
          '&::before': {
            content: '""',
            position: 'absolute',
            left: 0,
            top: 0,
            bottom: 0,
            width: 2,
            backgroundColor: colors.accent,
          },
        }),
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
          <Typography sx={{ fontWeight: 500, flexShrink: 1, minWidth: 40 }} noWrap title={run.params.botName}>
            {run.params.botName}
          </Typography>
          {model !== null && (
            <Box sx={{ flexShrink: 0, '& .MuiChip-root': { height: 18 }, '& .MuiChip-label': { px: 0.625 } }}>
              <Chip label={model} tone="outline" />
            </Box>
          )}
        </Box>
        <Typography
          variant="label"
          component="div"
          sx={{ mt: 0.25, color: colors.text2, fontWeight: 400, letterSpacing: '-0.01em' }}
        >
          {runLine(run, nowMs)}
        </Typography>
      </Box>
      <Box sx={{ textAlign: 'right', whiteSpace: 'nowrap' }}>
        <Typography
          variant="small"
          component="div"
          sx={{ fontWeight: 500, color: directionColor(directionOf(run.totalReturnPct)) }}
        >
          {formatChangePct(run.totalReturnPct)}
        </Typography>
        {caution !== null && (
          <Typography
            variant="label"
            component="div"
            title={caution.text}
            sx={{ mt: 0.25, fontWeight: 400, color: colors.warn }}
          >
            {caution.short}
          </Typography>
        )}
      </Box>
      <Button
        size="small"
        onClick={onOpen}
        aria-label={`Open the run of ${run.params.botName}, ${runLine(run, nowMs)}`}
        sx={{ height: 26, px: 0.875 }}
      >
        Open
      </Button>
    </Box>
  )
}
