import { Box } from '@mui/material'
import type { BacktestRun, Metrics, RunIntervals } from '@shapecast/contracts/backtest'
import { directionOf, formatCount, formatRatio } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { colors, TINT, tint } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { directionColor } from '#kit/ui/tone.ts'
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

const tableStyle = {
  '&.seen-table': { width: '100%', borderCollapse: 'collapse', ...typeScale.small },
  '&.seen-table th, &.seen-table td': {
    height: 27,
    px: { xs: 0.75, sm: 2 },
    whiteSpace: 'nowrap',
    textAlign: 'right',
    color: colors.text2,
  },
  '&.seen-table tr > :first-child': { pl: 2, pr: 0 },
  '&.seen-table tr > :last-child': { pr: 2 },
  '&.seen-table thead > tr > *': {
    height: 34,
    ...typeScale.label,
    borderBottom: `1px solid ${tint(colors.warn, 0.2)}`,
  },
  '&.seen-table tbody th': { textAlign: 'left', fontWeight: 400 },
  // On a phone the sentence beside it says the interval.
  '&.seen-table [data-interval]': { display: { xs: 'none', sm: 'table-row' } },
  '&.seen-table [data-unseen]': {
    // Over the amber of the notice the whole tint would leave green and red too little contrast.
    backgroundColor: tint(colors.text2, `calc(${TINT.neutral} * 0.5)`),
    color: colors.text,
    fontWeight: 600,
  },
} as const

/** In-sample, unseen and whole range side by side; the unseen part stands out. */
export function SeenTable({ run }: { run: Pick<BacktestRun, 'seen' | 'metrics' | 'intervals'> }) {
  const { seen, unseen } = run.seen
  const cell = (part: typeof unseen, text: (typeof ROWS)[number]['text']) =>
    part === null ? '—' : text(part.metrics, part.intervals)
  return (
    <Box component="table" className="seen-table" aria-label="Results of the seen and the unseen part" sx={tableStyle}>
      <thead>
        <tr>
          <td />
          <th scope="col">In-sample</th>
          <th scope="col" data-unseen>
            Unseen
          </th>
          <th scope="col">
            Whole
            <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
              {' range'}
            </Box>
          </th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ head, text, isChange, isInterval }) => (
          <tr key={head} {...(isInterval && { 'data-interval': true })}>
            <th scope="row">{head}</th>
            <td>{cell(seen, text)}</td>
            <Box
              component="td"
              data-unseen
              style={
                isChange && unseen !== null
                  ? { color: directionColor(directionOf(unseen.metrics.totalReturnPct)) }
                  : undefined
              }
            >
              {cell(unseen, text)}
            </Box>
            <td>{text(run.metrics, run.intervals)}</td>
          </tr>
        ))}
      </tbody>
    </Box>
  )
}
