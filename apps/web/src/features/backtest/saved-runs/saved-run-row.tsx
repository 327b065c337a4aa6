import { Box, Button, Checkbox, Typography } from '@mui/material'
import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { StickyNote } from 'lucide-react'
import { elsewhere } from '#entities/markets/elsewhere.ts'
import { judgedWords } from '#entities/runs/judged-return.ts'
import { runName } from '#entities/runs/run-name.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { directionColor } from '#kit/ui/tone.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { runResult, runSetup } from '../results/run-summary.ts'
import { type RunComparison, RunMenu } from './run-menu.tsx'

export interface SavedRunRowProps {
  run: BacktestRunSummary
  isOpen: boolean
  /** Given while runs are being chosen to be compared. */
  tick?: { isOn: boolean; whyNot: string | null; toggle: () => void }
  comparison?: RunComparison | undefined
  onOpen: () => void
  onDelete: () => void
}

/** One saved run: what was run on what, when, what the part to judge by returned, and the ways on; or a tick alone. */
export function SavedRunRow({ run, isOpen, tick, comparison, onOpen, onDelete }: SavedRunRowProps) {
  const { judged } = run
  const name = runName(run)
  const where = elsewhere(run, useHealth().data?.venue)
  return (
    <Box component="li" {...(isOpen && { 'aria-current': 'true' as const })} sx={isOpen ? openStyle : rowStyle}>
      {tick !== undefined && (
        <Checkbox
          size="small"
          checked={tick.isOn}
          disabled={tick.whyNot !== null}
          onChange={tick.toggle}
          title={tick.whyNot ?? undefined}
          slotProps={{ input: { 'aria-label': `Compare ${name}, ${runSetup(run)}` } }}
          sx={{ p: 0.5, ml: -0.75, mr: -0.5, alignSelf: 'start' }}
        />
      )}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 500 }} noWrap title={name}>
          {name}
        </Typography>
        {[
          [runSetup(run), where].filter(Boolean).join(' · '),
          formatDateRange(run.startTime, run.endTime),
          runResult(run),
        ].map((line) => (
          <Typography key={line} variant="label" component="div" sx={{ ...lineStyle, overflowWrap: 'anywhere' }}>
            {line}
          </Typography>
        ))}
        {run.note && (
          <Typography variant="label" component="div" sx={{ ...lineStyle, display: 'flex', gap: 0.75, mt: 0.25 }}>
            <Box component={StickyNote} size={13} aria-label="Note:" sx={{ flexShrink: 0, mt: '1px' }} />
            <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
              {run.note}
            </Box>
          </Typography>
        )}
      </Box>
      <Box sx={{ textAlign: 'right', whiteSpace: 'nowrap', alignSelf: 'start' }}>
        <Typography
          variant="small"
          component="div"
          title={judgedWords(judged)}
          sx={{ fontWeight: 500, color: directionColor(directionOf(judged.returnPct)) }}
        >
          {formatChangePct(judged.returnPct)}
        </Typography>
        {tick === undefined && run.seenRatio > 0 && run.unseen !== undefined && (
          <Typography variant="label" component="div" title="Return of the whole range" sx={lineStyle}>
            {formatChangePct(run.totalReturnPct)} in all
          </Typography>
        )}
        {tick === undefined && (
          <Box sx={{ mt: 0.5, display: 'flex', alignItems: 'center', justifyContent: 'flex-end', gap: 0.5 }}>
            {isOpen ? (
              <Typography variant="label" sx={{ color: colors.accentHi }}>
                opened
              </Typography>
            ) : (
              <Button
                size="small"
                onClick={onOpen}
                aria-label={`Open the run ${name}, ${runSetup(run)}`}
                sx={{ height: 26, px: 0.875 }}
              >
                Open
              </Button>
            )}
            <RunMenu run={run} comparison={comparison} onDelete={onDelete} />
          </Box>
        )}
      </Box>
    </Box>
  )
}

const lineStyle = { color: colors.text2, fontWeight: 400, letterSpacing: '-0.01em' } as const

const rowStyle = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  px: 2,
  py: 1,
  '& + &': { borderTop: `1px solid ${colors.divider}` },
  'li + &': { borderTop: `1px solid ${colors.divider}` },
} as const

const openStyle = {
  ...rowStyle,
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
} as const
