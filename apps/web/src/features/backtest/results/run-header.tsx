import { Box, Typography } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import { FlaskConical } from 'lucide-react'
import { formatCount, formatFixed, formatRatio } from '../../../shared/format/number.ts'
import { formatSharePct } from '../../../shared/format/percent.ts'
import { formatDateRange } from '../../../shared/format/time.ts'
import { Chip } from '../../../shared/ui/chip.tsx'

/** The facts of a run in chips: what was tested, when, and what came out over the whole range. */
export function runChips(
  run: Pick<BacktestRun, 'symbol' | 'startTime' | 'endTime' | 'timeframe' | 'candles' | 'metrics'>,
) {
  const { metrics } = run
  return [
    run.symbol,
    `${formatDateRange(run.startTime, run.endTime)} · ${run.timeframe}`,
    `${formatCount(run.candles)} ${run.candles === 1 ? 'candle' : 'candles'}`,
    `${formatCount(metrics.trades)} ${metrics.trades === 1 ? 'trade' : 'trades'}`,
    `Win rate ${formatSharePct(metrics.winRate)}`,
    `Profit factor ${formatRatio(metrics.profitFactor)}`,
    `Max drawdown ${formatFixed(-metrics.maxDrawdownPct, 1)}%`,
  ]
}

/** Whose run it is, and its facts. */
export function RunHeader({ run }: { run: BacktestRun }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.75, rowGap: 1 }}>
      <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
        {run.params.botName}
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
