import type { Metrics, RandomEntries, RunIntervals } from '@shapecast/contracts/backtest-results'
import { holdsShare, POLICIES } from '@shapecast/contracts/policies'
import type { FinishedRun } from '@shapecast/trading/backtests/run-store'
import { minuteOf, table } from './output.ts'

const UNKNOWN = '—'
const figure = (value: number | null, digits = 2, unit = '') =>
  value === null ? UNKNOWN : `${value.toFixed(digits)}${unit}`
const signed = (value: number, digits = 2, unit = '') => `${value > 0 ? '+' : ''}${value.toFixed(digits)}${unit}`

type Row = [name: string, show: (metrics: Metrics) => string]

const rowsOf = (fundingKnown: boolean): Row[] => [
  ['Trades', (m) => String(m.trades)],
  ['Win rate', (m) => figure(m.winRate, 1, '%')],
  ['Profit factor', (m) => figure(m.profitFactor)],
  ['Total return', (m) => signed(m.totalReturnPct, 2, '%')],
  ['Buy and hold', (m) => signed(m.buyAndHoldReturnPct, 2, '%')],
  ['Max drawdown', (m) => figure(m.maxDrawdownPct, 2, '%')],
  ['Sharpe-like', (m) => figure(m.sharpeLike)],
  ['Average trade', (m) => figure(m.avgTradePnL, 4)],
  ['Gross PnL', (m) => signed(m.grossPnL, 4)],
  ['Fees', (m) => figure(m.fees, 4)],
  ['Slippage', (m) => figure(m.slippageCost, 4)],
  ['Funding', (m) => (fundingKnown ? figure(m.funding, 4) : 'unknown')],
  ['Net PnL', (m) => signed(m.netPnL, 4)],
]

/** A finished run in words and a table: what was tested, at which cost, how much of it was seen, and the result. */
export function textOfRun({ summary, detail }: FinishedRun): string {
  const isFutures = summary.params.marketType === 'futures'
  const parts: [string, Metrics][] = [['whole range', summary.metrics]]
  if (detail.seen.unseen !== null && summary.seenRatio > 0) parts.push(['unseen part', detail.seen.unseen.metrics])
  const rows = rowsOf(!isFutures || detail.meta.fundingAssumed !== undefined)
  return [
    ...headOf(summary),
    '',
    table([
      ['', ...parts.map(([name]) => name)],
      ...rows.map(([name, show]) => [name, ...parts.map(([, metrics]) => show(metrics))]),
    ]),
    '',
    ...chanceLines({ summary, detail }),
    ...entryLines(detail.randomEntries),
    ...seenLines({ summary, detail }),
    ...eventLines(detail),
    `Result hash ${detail.meta.hashes.result}`,
  ].join('\n')
}

/** How far chance alone may have made the return of the part to judge by. */
function chanceLines({ summary, detail }: FinishedRun): string[] {
  const intervals = (summary.seenRatio > 0 ? detail.seen.unseen : summary)?.intervals
  if (intervals === undefined) return []
  const of = summary.seenRatio > 0 ? ' of the unseen part' : ''
  const { unit, autocorrelation } = intervals
  const narrow = intervals.isTooNarrow
    ? [`It is too narrow: each ${unit} resembles the one before (correlation ${figure(autocorrelation)}).`]
    : []
  const ends = intervals.totalReturnPct
  if (ends === null) return [`No 95% interval of the return${of}: ${whyNone(intervals)}.`]
  const shown = `${signed(ends[0], 1)} to ${signed(ends[1], 1, '%')}`
  return [`95% interval of the return${of}, by ${unit}: ${shown}: ${CHANCE[intervals.verdict]}.`, ...narrow]
}

/** Whether a rule's entries were better than random ones. */
function entryLines(entries: RandomEntries | undefined): string[] {
  if (entries === undefined) return []
  const { code, trades, p, isUnseenPart } = entries
  const of = isUnseenPart ? ' of the unseen part' : ''
  if (p === null) return [`Against random entries: ${trades} trades${of} are too few to tell, at least 30 are needed.`]
  const share = `${(100 * p).toFixed(1)}% of random entries, on the same sides and held as long, did as well (${trades} trades${of})`
  return [
    `${share}: ${code === 'better_than_random' ? 'its timing was better than random' : 'its timing cannot be told from random'}.`,
  ]
}

const CHANCE: Record<RunIntervals['verdict'], string> = {
  too_few: 'too few to tell',
  too_few_wins_or_losses: 'too few wins or losses to tell',
  unsteady: 'it cannot be told',
  may_be_luck: 'it may be luck either way',
  lost_beyond_chance: 'it lost more than chance explains',
  gained_beyond_chance: 'it gained more than chance explains, in this stretch of the market',
}

function whyNone({ verdict, unit, units, wins, losses }: RunIntervals): string {
  if (verdict === 'too_few') return `it has ${units} ${unit}s, at least 30 are needed`
  if (verdict === 'too_few_wins_or_losses')
    return `of ${units} ${unit}s ${wins} won and ${losses} lost, at least 5 of each are needed`
  return `its ${unit}s vary too little, or nothing was left`
}

function headOf({ symbol, timeframe, venue, market, params, ...summary }: FinishedRun['summary']): string[] {
  const kind = market === 'simulated' ? ', SIMULATED prices' : market === 'replay' ? ', imported history' : ''
  const leverage = params.marketType === 'futures' ? `futures at ${params.leverage}×` : 'spot'
  const limit = params.maxDrawdown === undefined ? '' : `, drawdown limit ${params.maxDrawdown}%`
  return [
    `${params.botName} on ${symbol} ${timeframe} of ${venue}${kind}`,
    `${summary.candles} candles from ${minuteOf(summary.startTime)} to ${minuteOf(summary.endTime)}`,
    `${sizeOf(params)}, ${leverage}${limit}; fee ${+(100 * params.feeRate).toFixed(4)}% and slippage ${params.slippageBps} bps on each fill`,
    `balance ${summary.initialBalance} → ${summary.finalBalance.toFixed(2)}`,
  ]
}

/** What one entry is: of a policy its risk level decides, whatever the position size says. */
function sizeOf({ positionSize, riskLevel, parameters }: FinishedRun['summary']['params']): string {
  const { policy = 'signal', sizing } = parameters ?? {}
  if (holdsShare(policy)) return `${POLICIES[policy].name} at ${riskLevel} risk`
  if (sizing?.kind === 'quote_amount') return `position size ${sizing.quote} of the quote`
  if (sizing?.kind === 'percent_of_equity') return `position size ${sizing.pct}% of the balance`
  if (sizing?.kind === 'volatility_target') return `position size for ${sizing.annualPct}% of volatility a year`
  return `position size ${positionSize}`
}

/** What the models have seen of the range, and whether the rest can be judged. */
function seenLines({ summary, detail }: FinishedRun): string[] {
  const { unseen } = detail.seen
  const share = `${(100 * summary.seenRatio).toFixed(1)}%`
  if (summary.seenRatio === 0) return ['The models have seen none of this range.']
  if (unseen === null) return [`The models have seen ${share} of this range: it judges nothing. Choose later candles.`]
  const lines = [`The models have seen ${share} of this range: judge by the unseen part.`]
  if (detail.verdict === 'halted_before') {
    const to = unseen.to === summary.endTime ? '' : ` --to ${new Date(unseen.to).toISOString()}`
    lines.push(
      'The drawdown limit halted it before the unseen part began, which therefore says nothing.',
      `Test that part by itself: --limit ${unseen.candles}${to}`,
    )
  }
  return lines
}

function eventLines({ meta, openPosition, verdict }: FinishedRun['detail']): string[] {
  const { gaps, skippedOrders, haltedAt, fundingAssumed = 0 } = meta
  return [
    ...(gaps.count > 0 ? [`Gaps: ${gaps.count}, with ${gaps.missingCandles} candles missing.`] : []),
    ...skippedOrders.map(({ reason, count }) => `Orders skipped: ${count} (${reason}).`),
    ...(fundingAssumed === 0
      ? []
      : [
          `Funding was unknown for ${(100 * fundingAssumed).toFixed(1)}% of the time a position was held: 0.01% every 8 hours is charged there.`,
          ...(verdict === 'funding_unknown' ? ['That is too much to judge the net result.'] : []),
        ]),
    ...(haltedAt === null ? [] : [`Halted by the drawdown limit at ${minuteOf(haltedAt)}.`]),
    ...(openPosition === null ? [] : [`A ${openPosition.side} of ${openPosition.quantity} is still open at the end.`]),
  ]
}
