import { Box } from '@mui/material'
import { FirstModelNote } from '#entities/trainings/first-model-note.tsx'
import { useTimeZone } from '#kit/format/time-zone.ts'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { ChartCard } from './chart-card.tsx'
import { PublicBotsCard, RecentRunsCard, TasksCard } from './list-cards.tsx'
import { LoadError } from './load-error.tsx'
import { SignalCard } from './signal-card.tsx'
import { StatusRow } from './status-row.tsx'
import { Torus } from './torus.tsx'
import { useWelcomePlace, WelcomeCard } from './welcome-card.tsx'

const CHART_HEIGHT_PX = 300

/** The first page: state of the system, Bitcoin's chart with what the model says of it, and what is new. */
export function DashboardPage() {
  // Its clocks.
  useTimeZone()
  const welcomePlace = useWelcomePlace()
  return (
    <Box sx={column}>
      <Box component="h1" sx={visuallyHidden}>
        Dashboard
      </Box>
      <LoadError />
      <FirstModelNote isListed />
      {welcomePlace === 'top' && <WelcomeCard />}
      <StatusRow />
      <Box sx={leadRow}>
        <ChartCard heightPx={CHART_HEIGHT_PX} />
        <SignalCard />
      </Box>
      <Box sx={listRow}>
        <Box sx={column}>
          <PublicBotsCard />
          <Torus />
        </Box>
        <RecentRunsCard />
        <TasksCard />
      </Box>
      {welcomePlace === 'end' && <WelcomeCard />}
    </Box>
  )
}

const gap = { xs: 1.5, md: 2 } as const
const column = { display: 'grid', gap, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' } as const

/** The chart takes the width; what stands beside it is a column of its own from md on, and below it before. */
const leadRow = {
  display: 'grid',
  gap,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 344px' },
} as const

const listRow = {
  display: 'grid',
  gap,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
} as const
