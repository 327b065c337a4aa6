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

export type Shown = 'sharpe' | 'over_holding' | 'return' | 'drawdown'

const ratioFigure = (value: number | null, line: string) => ({ value, text: formatRatio(value), line })
const returnFigure = (pct: number, line: string) => ({ value: pct, text: `${formatSigned(pct, 1)}%`, line })
const drawdownFigure = (pct: number, line: string) => ({ value: -pct, text: `${formatFixed(-pct, 1)}%`, line })

/** What the row at equal risk shows; null where it has no such figure. */
export function figureAtEqualRisk({ figures, holdFigures }: EqualRisk, shown: Shown) {
  switch (shown) {
    case 'sharpe':
      return ratioFigure(figures.sharpe, ends(figures.interval, 1))
    case 'over_holding':
      return null
    case 'return':
      return returnFigure(figures.totalReturnPct, `holding ${formatSigned(holdFigures.totalReturnPct, 0)}%`)
    case 'drawdown':
      return drawdownFigure(figures.maxDrawdownPct, `holding ${formatFixed(-holdFigures.maxDrawdownPct, 0)}%`)
    default:
      return shown satisfies never
  }
}

/** What a cell shows: its figure, and the line beside it; `value` orders and shades, higher is better. */
export function figureOf({ metrics, intervals, sharpeOverHolding }: NonNullable<BatchCell['run']>, shown: Shown) {
  switch (shown) {
    case 'sharpe':
      // That by candle may lie outside the interval, which is by trade.
      return ratioFigure(intervals.sharpe?.value ?? metrics.sharpeLike, ends(intervals.sharpe?.interval, 1))
    case 'over_holding':
      return ratioFigure(sharpeOverHolding ?? null, 'its timing, after costs')
    case 'return':
      return returnFigure(metrics.totalReturnPct, ends(intervals.totalReturnPct, 0))
    case 'drawdown':
      return drawdownFigure(metrics.maxDrawdownPct, `holding ${formatSigned(metrics.buyAndHoldReturnPct, 0)}%`)
    default:
      return shown satisfies never
  }
}
