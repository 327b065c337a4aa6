import { Box } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Health, Market } from '@shapecast/contracts/market'
import { assetsOf } from '../parameters/options.ts'
import { BalanceCard } from './balance-card.tsx'
import { ChartCard } from './chart-card.tsx'
import { RunHeader } from './run-header.tsx'
import { RunNotesList } from './run-notes-list.tsx'
import { SeenNotice } from './seen-notice.tsx'
import { SharpeCard } from './sharpe-card.tsx'
import { TradesCard } from './trades-card.tsx'

/** One run, from what it was to its last trade. */
export function ResultsPanel({
  run,
  market,
  health,
}: {
  run: BacktestRun
  market: Market | undefined
  health: Health | undefined
}) {
  return (
    <>
      <RunHeader run={run} />
      <SeenNotice run={run} />
      <RunNotesList run={run} />
      <ChartCard run={run} market={market} health={health} />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 1.5, md: 2 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 280px' },
        }}
      >
        <BalanceCard run={run} market={market} />
        <SharpeCard run={run} quote={assetsOf(run.symbol, market).quote} />
      </Box>
      <TradesCard run={run} market={market} />
    </>
  )
}
