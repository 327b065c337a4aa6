import type { BacktestRun } from '@shapecast/contracts/backtest'
import { ApiError } from '@shapecast/contracts/client'
import { runName } from '@shapecast/contracts/run-name'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { EntriesVerdict } from '#charts/entries-verdict.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { formatMoneyUnit, formatPnlUnit } from '#kit/format/money.ts'
import { formatRatio, formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, RetryButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { useIsManager } from '#wire/session/auth-context.ts'
import { nextRun } from '../../run/parameters.ts'
import { useSizeWorth } from '../../run/size-note.tsx'
import { ResultsSkeleton } from '../../run/skeletons.tsx'
import { useBacktest } from '../../run/use-backtest.ts'
import { assetsOf } from '../../run/use-parameters.ts'
import { cautionOf, runChips, sharpeInterval, unseenMetrics } from '../run-summary.ts'
import { BalanceCard } from './balance-card.tsx'
import { ChartCard } from './chart-card.tsx'
import css from './opened-run.module.css'
import { PeriodsCard } from './periods-card.tsx'
import { RunNotesList } from './run-notes.tsx'
import { SeenNotice } from './seen-notice.tsx'
import { TradesCard } from './trades-card.tsx'

/** Runs in one press what tells more than the opened run does, and leaves it in the fields. */
function NextRunButton({ run }: { run: BacktestRun }) {
  const { test, isBusy, run: start } = useBacktest()
  const { parameters, unseen } = test
  const size = useSizeWorth(parameters)
  const mayRun = useIsManager()
  const next = nextRun(run, unseen !== null, parameters.mode === 'model' ? size.found : null)
  if (next === null || !mayRun) return null
  return (
    <Button size="small" disabled={isBusy} onClick={() => start(next.change)}>
      {next.words}
    </Button>
  )
}

/** The run of the address: on its way, here, or not to be had. */
export function OpenedRun() {
  const { opened: run, close } = useBacktest()
  if (run.data !== undefined) return <Results run={run.data} />
  if (!run.isError) return <ResultsSkeleton />
  // The address names what cannot be a run: the server says that to programs.
  const isNoId = run.error instanceof ApiError && run.error.status === 400
  return (
    <Banner kind="error" title="This run could not be loaded" onDismiss={close} action={<RetryButton reply={run} />}>
      {isNoId ? 'This run does not exist.' : run.error.message} Open another one from Saved Runs, or run a new backtest.
    </Banner>
  )
}

function Results({ run }: { run: BacktestRun }) {
  const market = useMarketOf(run.symbol)
  const [lookAt, setLookAt] = useState<{ fromMs: number; toMs: number } | null>(null)
  const { quote } = assetsOf(run.symbol, market)
  return (
    <>
      <Row wrap gap={1.75} lineGap={1} style={{ order: -1 }}>
        <Text breaks size="h1">
          {runName(run)}
        </Text>
        <Row as="ul" gap={0.75} wrap align="stretch" aria-label="Run" className={layout.list}>
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
        </Row>
      </Row>
      <SeenNotice run={run} nextStep={<NextRunButton run={run} />} />
      {run.randomEntries !== undefined && <EntriesVerdict entries={run.randomEntries} />}
      <RunNotesList run={run} />
      <ChartCard run={run} market={market} lookAt={lookAt} />
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

/** `hourly`, `daily`, `4h`: of what the returns are. */
const returnsOf = (timeframe: Timeframe): string =>
  timeframe === '1h' ? 'hourly' : timeframe === '1d' ? 'daily' : timeframe

function SharpeCard({ run, quote }: { run: BacktestRun; quote: string }) {
  const { metrics } = run
  const unseen = unseenMetrics(run)
  const judged = unseen === null ? run.intervals : run.seen.unseen?.intervals
  const interval = sharpeInterval(judged)
  const caution = judged === undefined ? null : cautionOf(judged)
  const sharpe = (unseen ?? metrics).sharpeLike
  return (
    <Card title="Sharpe-like" {...(caution !== null && { actions: <Chip label={caution} tone="warn" /> })}>
      <Text as="div" size="numberL" tone={sharpe === null ? 'text3' : 'inherit'}>
        {formatRatio(sharpe)}
        {unseen !== null && (
          <Text as="span" size="small" tone="text2" style={{ marginLeft: 8 }}>
            unseen part
          </Text>
        )}
      </Text>
      {interval !== null && (
        <Text as="div" size="small" tone="text2">
          {interval}
        </Text>
      )}
      {judged?.sharpe != null && <IntervalBar {...judged.sharpe} />}
      <Note tone="text2" above={0.5}>
        Mean over deviation of {returnsOf(run.timeframe)} equity returns, per year
      </Note>
      <div className={css.rule}>
        <Facts
          facts={[
            unseen !== null && { label: 'Whole range', value: formatRatio(metrics.sharpeLike) },
            { label: 'Avg trade PnL', value: formatPnlUnit(metrics.avgTradePnL, quote) },
            unseen !== null && { label: 'Avg trade, unseen', value: formatPnlUnit(unseen.avgTradePnL, quote) },
            { label: 'Fees paid', value: formatMoneyUnit(metrics.fees, quote) },
          ]}
        />
      </div>
      <div className={css.against}>
        <Facts
          facts={[
            { label: 'This run', value: formatChangePct(metrics.totalReturnPct) },
            { label: 'Flat', value: formatChangePct(0) },
            { label: 'Buy and hold', value: formatChangePct(metrics.buyAndHoldReturnPct) },
          ]}
        />
      </div>
    </Card>
  )
}

/** A figure within its interval on a track with 0 in the middle. Only a picture of what stands beside it in words. */
function IntervalBar({ value, interval: [low, high] }: { value: number; interval: readonly [number, number] }) {
  const reach = Math.max(1, Math.ceil(Math.max(...[value, low, high].map(Math.abs))))
  const pctAt = (at: number) => `${50 + (50 * at) / reach}%`
  return (
    <div aria-hidden style={{ marginTop: 10 }}>
      <div className={css.track}>
        <div className={css.line} />
        <div className={css.range} style={{ left: pctAt(low), right: `calc(100% - ${pctAt(high)})` }} />
        <div className={css.zero} />
        <div className={css.dot} style={{ left: pctAt(value) }} />
      </div>
      <Row gap={0} between above={0.5}>
        {[-reach, 0, reach].map((at) => (
          <Note as="span" key={at}>
            {formatSigned(at, 0)}
          </Note>
        ))}
      </Row>
    </div>
  )
}
