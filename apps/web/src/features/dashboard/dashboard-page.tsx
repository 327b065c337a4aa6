import { Box } from '@mui/material'
import { lazy, Suspense } from 'react'
import { ChartSkeleton } from '../../charts/price-chart/chart-states.tsx'
import { FirstModelNote } from '../../shared/trainings/first-model-note.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { visuallyHidden } from '../../shared/ui/visually-hidden.ts'

const CHART_HEIGHT_PX = 300

const PredictedChartCard = lazy(async () => ({
  default: (await import('./predicted-chart-card.tsx')).PredictedChartCard,
}))

/** The chart takes the width; what stands beside it is a column of its own from md on, and below it before. */
const leadRow = {
  display: 'grid',
  gap: { xs: 1.5, md: 2 },
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridAutoColumns: '344px',
  gridAutoFlow: { xs: 'row', md: 'column' },
} as const

/** The first page: Bitcoin's chart of the last hours, with what the current model says of them. */
export function DashboardPage() {
  return (
    <>
      <Box component="h1" sx={visuallyHidden}>
        Dashboard
      </Box>
      <Box sx={{ mb: { xs: 1.5, md: 2 }, '&:empty': { display: 'none' } }}>
        <FirstModelNote />
      </Box>
      <Box sx={leadRow}>
        <Suspense
          fallback={
            <Card title="BTC/USDT">
              <ChartSkeleton heightPx={CHART_HEIGHT_PX} />
            </Card>
          }
        >
          <PredictedChartCard symbol="BTCUSDT" timeframe="1h" heightPx={CHART_HEIGHT_PX} />
        </Suspense>
      </Box>
    </>
  )
}
