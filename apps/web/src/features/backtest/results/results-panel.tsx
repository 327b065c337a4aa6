import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Health, Market } from '@shapecast/contracts/market'
import { type ReactNode, useState } from 'react'
import layout from '#kit/ui/layout.module.css'
import { assetsOf } from '../parameters/options.ts'
import { BalanceCard } from './balance-card.tsx'
import { ChartCard } from './chart-card.tsx'
import { PeriodsCard } from './periods-card.tsx'
import css from './results-panel.module.css'
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
  nextStep,
}: {
  run: BacktestRun
  market: Market | undefined
  health: Health | undefined
  /** What to run next, where there is something better. */
  nextStep: ReactNode
}) {
  const [lookAt, setLookAt] = useState<{ fromMs: number; toMs: number } | null>(null)
  const { quote } = assetsOf(run.symbol, market)
  return (
    <>
      <RunHeader run={run} />
      <SeenNotice run={run} nextStep={nextStep} />
      <RunNotesList run={run} />
      <ChartCard run={run} market={market} health={health} lookAt={lookAt} />
      <div className={`${layout.pageColumn} ${css.cards}`}>
        <BalanceCard run={run} market={market} />
        <SharpeCard run={run} quote={quote} />
      </div>
      <PeriodsCard run={run} quote={quote} />
      <TradesCard
        run={run}
        market={market}
        onShow={({ entryTime, exitTime }) => setLookAt({ fromMs: entryTime, toMs: exitTime })}
      />
    </>
  )
}
