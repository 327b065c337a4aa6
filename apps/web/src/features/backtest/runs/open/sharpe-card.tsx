import type { BacktestRun } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { formatMoneyUnit, formatPnlUnit } from '#kit/format/money.ts'
import { formatRatio, formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { cautionOf, sharpeInterval } from '../uncertainty-words.ts'
import css from './opened-run.module.css'

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

/** A figure within its interval on a track with 0 in the middle. Only a picture of what stands beside it in words. */
function IntervalBar({ value, interval: [low, high] }: { value: number; interval: readonly [number, number] }) {
  const reach = Math.max(1, Math.ceil(Math.max(...[value, low, high].map(Math.abs))))
  const pctAt = (at: number) => `${50 + (50 * at) / reach}%`
  return (
    <div aria-hidden className={css.bar}>
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
