import { Box, Typography } from '@mui/material'
import { formatMoney, formatPnl } from '../../shared/format/money.ts'
import { directionOf, formatCount } from '../../shared/format/number.ts'
import { formatChangePct } from '../../shared/format/percent.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { SkeletonBox, SkeletonGroup } from '../../shared/ui/skeleton.tsx'
import { StatusCard } from '../../shared/ui/status-card.tsx'
import { directionColor } from '../../shared/ui/tone.ts'
import { type BotSummary, stateWords } from './bot-summary.ts'

const QUOTE = 'USDT'
export const summaryGrid = {
  display: 'grid',
  gap: { xs: 1.5, md: 2 },
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(3, minmax(0, 1fr))' },
  // Two by two on a phone, the third one alone in its row.
  '& > :nth-of-type(3)': { gridColumn: { xs: 'span 2', sm: 'auto' } },
} as const

const Unit = () => (
  <Typography component="span" variant="label" sx={{ ml: 0.5, color: colors.text3, letterSpacing: 0 }}>
    {QUOTE}
  </Typography>
)

/** How many own bots there are, what they hold, and what they have made. */
export function SummaryCards({ summary }: { summary: BotSummary }) {
  const tone = directionColor(directionOf(summary.pnl))
  return (
    <Box sx={summaryGrid}>
      <StatusCard label="My bots" value={formatCount(summary.count)} evidence={stateWords(summary)} />
      <StatusCard
        label="Total balance"
        value={
          <>
            {formatMoney(summary.balance)}
            <Unit />
          </>
        }
        evidence={
          summary.isMixed ? 'Virtual and real money together' : `Started with ${formatMoney(summary.initialBalance)}`
        }
      />
      <StatusCard
        label="Total P&L"
        value={
          <Box component="span" sx={{ color: tone }}>
            {formatPnl(summary.pnl)}
            <Unit />
          </Box>
        }
        evidence={
          <Box component="span" sx={{ color: directionColor(directionOf(summary.returnPct)) }}>
            {summary.returnPct === null ? 'No bots of your own yet' : formatChangePct(summary.returnPct)}
          </Box>
        }
      />
    </Box>
  )
}

export const SummarySkeleton = () => (
  <SkeletonGroup label="Loading the bots">
    <Box sx={summaryGrid}>
      {[0, 1, 2].map((index) => (
        <SkeletonBox key={index} height={100} />
      ))}
    </Box>
  </SkeletonGroup>
)
