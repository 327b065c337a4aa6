import type { BatchCell, BatchResult, EqualRisk } from '@shapecast/contracts/batch'
import { formatCount, formatCounted, formatFixed, formatRatio, formatSigned } from '#kit/format/number.ts'
import { formatShareRatioShort } from '#kit/format/percent.ts'

/** What a batch says: in a title, and in sentences below it. */
export function batchWords({ cells, verdict, tries, equalRisk = [] }: BatchResult) {
  const { code, runs, clear, best, luckSharpe, p } = verdict
  const winner = best === null ? undefined : cells[best]
  const missing = cells.filter(({ run }) => run === null).length
  const lack = missing === 0 ? [] : [`${formatCounted(missing, 'series', 'series')} could not be run: see the table.`]
  if (code === 'too_few' || winner?.run == null)
    return { title: 'No run traded: nothing to compare', sentences: lack, isLuck: true }
  const { sharpeOverHolding } = winner.run
  if (sharpeOverHolding === undefined)
    return { title: 'Judged before holding was taken off: run it again', sentences: lack, isLuck: true }
  const cleared = `${clear === 0 ? 'None' : clear} of ${runs} ${clear === 1 ? 'gains' : 'gain'} beyond chance alone`
  const bestOf = `Over holding as much, ${winner.symbol} ${winner.timeframe} with ${formatCounted(winner.run.metrics.trades, 'trade')} is the best by its years: a Sharpe ratio of ${formatRatio(sharpeOverHolding)}`
  const all = Math.max(runs, tries)
  const luck =
    all === 1
      ? `; without any skill so much shows in ${formatShareRatioShort(p)} of cases.`
      : `; the best of ${formatCount(all)} tries without any skill shows about ${formatRatio(luckSharpe)}, and as much as this one in ${formatShareRatioShort(p)} of cases.`
  return code === 'better_than_luck'
    ? { title: `${cleared}; the best is more than luck gives`, sentences: [bestOf + luck, ...lack], isLuck: false }
    : {
        title: `${cleared}; the best is what luck gives`,
        sentences: [
          `${bestOf}${luck} Do not pick a row${equalRisk.length > 0 ? ': if anything, trade all at equal risk' : ''}.`,
          ...lack,
        ],
        isLuck: true,
      }
}

const ends = (interval: readonly [number, number] | null | undefined, digits: number) =>
  interval == null ? 'no interval' : `${formatSigned(interval[0], digits)} to ${formatSigned(interval[1], digits)}`

type Run = NonNullable<BatchCell['run']>

/** A figure, the line beside it; `value` orders and shades, higher is better. */
const ratio = (value: number | null, line: string) => ({ value, text: formatRatio(value), line })
const gain = (pct: number, line: string) => ({ value: pct, text: `${formatSigned(pct, 1)}%`, line })
const drawdown = (pct: number, line: string) => ({ value: -pct, text: `${formatFixed(-pct, 1)}%`, line })

/** What a table of a batch can show: of a run, and of all runs at equal risk, null where these have no such figure. */
export const SHOWN = {
  sharpe: {
    label: 'Sharpe',
    // That by candle may lie outside the interval, which is by trade.
    of: ({ metrics, intervals: { sharpe } }: Run) =>
      ratio(sharpe?.value ?? metrics.sharpeLike, ends(sharpe?.interval, 1)),
    together: ({ figures }: EqualRisk) => ratio(figures.sharpe, ends(figures.interval, 1)),
  },
  over_holding: {
    label: 'Over holding',
    of: ({ sharpeOverHolding = null }: Run) => ratio(sharpeOverHolding, 'its timing, after costs'),
    together: () => null,
  },
  return: {
    label: 'Return',
    of: ({ metrics, intervals }: Run) => gain(metrics.totalReturnPct, ends(intervals.totalReturnPct, 0)),
    together: ({ figures, holdFigures }: EqualRisk) =>
      gain(figures.totalReturnPct, `holding ${formatSigned(holdFigures.totalReturnPct, 0)}%`),
  },
  drawdown: {
    label: 'Drawdown',
    of: ({ metrics }: Run) =>
      drawdown(metrics.maxDrawdownPct, `holding ${formatSigned(metrics.buyAndHoldReturnPct, 0)}%`),
    together: ({ figures, holdFigures }: EqualRisk) =>
      drawdown(figures.maxDrawdownPct, `holding ${formatFixed(-holdFigures.maxDrawdownPct, 0)}%`),
  },
}
export type Shown = keyof typeof SHOWN
