import { Box, Typography } from '@mui/material'
import { formatMoney, formatMoneyUnit, formatPnl, formatPnlUnit } from '#kit/format/money.ts'
import { directionOf, formatCount } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { StatusCard } from '#kit/ui/status-card.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { type BotSummary, stateWords } from '../bot-summary.ts'

const QUOTE = 'USDT'
export const summaryGrid = {
  display: 'grid',
  gap: { xs: 1.5, md: 2 },
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(3, minmax(0, 1fr))' },
  // On a phone the number of bots stands beside its words, above the two amounts.
  '& > :first-of-type': { gridColumn: { xs: 'span 2', sm: 'auto' } },
} as const

/** The unit goes below an amount that is too long for it. */
const amountStyle = { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 0.5 } as const

const Unit = () => (
  <Typography component="span" variant="label" sx={{ color: colors.text3, letterSpacing: 0 }}>
    {QUOTE}
  </Typography>
)

/** How many own bots there are, what they hold, and what they have made. */
export function SummaryCards({ summary }: { summary: BotSummary }) {
  const { main, other } = summary
  const tone = directionColor(directionOf(main.pnl))
  return (
    <Box sx={summaryGrid}>
      <StatusCard isRow label="My bots" value={formatCount(summary.count)} evidence={stateWords(summary)} />
      <StatusCard
        label="Total balance"
        value={
          <Box sx={amountStyle}>
            {formatMoney(main.balance)} <Unit />
          </Box>
        }
        evidence={
          other === null
            ? `Started with ${formatMoney(main.initialBalance)}`
            : `Real money · virtual ${formatMoneyUnit(other.balance, QUOTE)}`
        }
      />
      <StatusCard
        label="Total P&L"
        value={
          <Box sx={{ ...amountStyle, color: tone }}>
            {formatPnl(main.pnl)} <Unit />
          </Box>
        }
        evidence={
          main.returnPct === null ? (
            'No bots of your own yet'
          ) : (
            <>
              <Box component="span" sx={{ color: main.returnPct === 0 ? 'inherit' : tone }}>
                {formatChangePct(main.returnPct)}
              </Box>
              {other !== null && ` · virtual ${formatPnlUnit(other.pnl, QUOTE)}, ${formatChangePct(other.returnPct)}`}
            </>
          )
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
