import type { BacktestRun } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { formatMoneyUnit, formatPnlUnit } from '#kit/format/money.ts'
import { formatRatio } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { IntervalBar } from './interval-bar.tsx'
import css from './sharpe-card.module.css'
import { cautionOf, sharpeInterval } from './uncertainty-words.ts'

const HOUR_MS = TIMEFRAME_MS['1h']

/** `hourly`, `daily`, `4h`: of what the returns are. */
function returnsOf(timeframe: Timeframe): string {
  if (TIMEFRAME_MS[timeframe] === HOUR_MS) return 'hourly'
  return timeframe === '1d' ? 'daily' : timeframe
}

/** Return for risk, and what trading cost: gross and net, beside doing nothing and holding. */
export function SharpeCard({ run, quote }: { run: BacktestRun; quote: string }) {
  const { metrics } = run
  const unseen = run.seenRatio > 0 ? (run.seen.unseen?.metrics ?? null) : null
  const judged = unseen === null ? run.intervals : run.seen.unseen?.intervals
  const interval = sharpeInterval(judged)
  const caution = judged === undefined ? null : cautionOf(judged)
  const sharpe = (unseen ?? metrics).sharpeLike
  const quality: Fact[] = [
    ...(unseen === null ? [] : [{ label: 'Whole range', value: formatRatio(metrics.sharpeLike) }]),
    { label: 'Avg trade PnL', value: formatPnlUnit(metrics.avgTradePnL, quote) },
    ...(unseen === null ? [] : [{ label: 'Avg trade, unseen', value: formatPnlUnit(unseen.avgTradePnL, quote) }]),
    { label: 'Fees paid', value: formatMoneyUnit(metrics.fees, quote) },
  ]
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
      <div className={css.quality}>
        <Facts facts={quality} />
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
