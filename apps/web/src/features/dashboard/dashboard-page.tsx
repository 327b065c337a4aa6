import type { Bot } from '@shapecast/contracts/bots'
import type { CSSProperties } from 'react'
import { positionsOf } from '#entities/bots/position-columns.tsx'
import { FirstModelNote } from '#entities/trainings/first-model-note.tsx'
import { useTimeZone } from '#kit/format/time.ts'
import layout from '#kit/ui/layout.module.css'
import { ChartCard } from './chart-card.tsx'
import css from './dashboard.module.css'
import { PublicBotsCard, RecentRunsCard, TasksCard } from './list-cards.tsx'
import { LoadError } from './load-error.tsx'
import { EquityCard, PositionsCard, SHOWN_POSITIONS, useOwnBots } from './own-bots.tsx'
import { SignalCard } from './signal-card.tsx'
import { StatusRow } from './status-row.tsx'
import { Torus } from './torus.tsx'
import { useWelcomePlace, WelcomeCard } from './welcome-card.tsx'

/** How many rows the positions take, from which the chart has its height on a wide screen. */
const positionRows = (own: readonly Bot[] | undefined): CSSProperties & Record<`--${string}`, number> => ({
  '--positions': Math.min(SHOWN_POSITIONS, Math.max(2, positionsOf(own ?? []).length)),
})

/** The first page: state of the system, Bitcoin's chart with what the model says of it, the user's bots, and what is new. */
export function DashboardPage() {
  // Its clocks.
  useTimeZone()
  const welcomePlace = useWelcomePlace()
  const own = useOwnBots()
  const hasBots = own?.length !== 0
  return (
    <div className={layout.pageColumn}>
      <h1 className={layout.visuallyHidden}>Dashboard</h1>
      <LoadError />
      <FirstModelNote isListed />
      {welcomePlace === 'top' && <WelcomeCard />}
      <StatusRow />
      <div className={hasBots ? `${css.cards} ${css.withBots}` : css.cards} style={positionRows(own)}>
        <div className={css.lead}>
          <div className={css.chart}>
            <ChartCard height="var(--chart-height, 300px)" />
          </div>
          <div className={css.signal}>
            <SignalCard />
          </div>
        </div>
        {hasBots && (
          <div className={css.mine}>
            <div className={css.equity}>
              <EquityCard own={own} />
            </div>
            <div className={css.positions}>
              <PositionsCard own={own} />
            </div>
          </div>
        )}
        <div className={css.lists}>
          <div className={css.botsAndTorus}>
            <PublicBotsCard />
            <Torus />
          </div>
          <RecentRunsCard />
          <TasksCard />
        </div>
      </div>
      {welcomePlace === 'end' && <WelcomeCard />}
    </div>
  )
}
