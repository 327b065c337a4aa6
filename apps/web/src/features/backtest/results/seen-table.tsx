import type { BacktestRun, Metrics, RunIntervals } from '@shapecast/contracts/backtest'
import { directionOf, formatCount, formatRatio } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { directionColor } from '#kit/ui/tone.ts'
import css from './seen-table.module.css'
import { returnInterval } from './uncertainty-words.ts'

const ROWS: readonly {
  head: string
  text: (metrics: Metrics, intervals: RunIntervals | undefined) => string
  isChange?: boolean
  isInterval?: boolean
}[] = [
  { head: 'Net return', text: (metrics) => formatChangePct(metrics.totalReturnPct), isChange: true },
  { head: '95% interval', text: (_, intervals) => returnInterval(intervals), isInterval: true },
  { head: 'Buy and hold', text: (metrics) => formatChangePct(metrics.buyAndHoldReturnPct) },
  { head: 'Trades', text: (metrics) => formatCount(metrics.trades) },
  { head: 'Win rate', text: (metrics) => formatSharePct(metrics.winRate) },
  { head: 'Profit factor', text: (metrics) => formatRatio(metrics.profitFactor) },
]

/** In-sample, unseen and whole range side by side; the unseen part stands out. */
export function SeenTable({ run }: { run: Pick<BacktestRun, 'seen' | 'metrics' | 'intervals'> }) {
  const { seen, unseen } = run.seen
  const cell = (part: typeof unseen, text: (typeof ROWS)[number]['text']) =>
    part === null ? '—' : text(part.metrics, part.intervals)
  return (
    <table aria-label="Results of the seen and the unseen part" className={css.table}>
      <thead>
        <tr>
          <td />
          <th scope="col">In-sample</th>
          <th scope="col" data-unseen>
            Unseen
          </th>
          <th scope="col">
            Whole
            <span className={css.range}>{' range'}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ head, text, isChange, isInterval }) => (
          <tr key={head} {...(isInterval && { 'data-interval': true })}>
            <th scope="row">{head}</th>
            <td>{cell(seen, text)}</td>
            <td
              data-unseen
              style={
                isChange && unseen !== null
                  ? { color: directionColor(directionOf(unseen.metrics.totalReturnPct)) }
                  : undefined
              }
            >
              {cell(unseen, text)}
            </td>
            <td>{text(run.metrics, run.intervals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
