import type { BacktestRun, BacktestRunSummary } from '@shapecast/contracts/backtest'
import type { RunIntervals } from '@shapecast/contracts/backtest-results'
import type { Market } from '@shapecast/contracts/market'
import { sizeWords } from '#entities/bots/bot-words.ts'
import { formatCounted, formatFixed, formatLeverage, formatRatio, formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange, formatDay } from '#kit/format/time.ts'

/** `v3.2`, `3 models`, `OpenAI`; null where a run names no model. */
export function runModelText(params: BacktestRunSummary['params']): string | null {
  if (params.strategy === 'openai') return 'OpenAI'
  const several = params.mlModelVersions?.length ?? 0
  return several > 1 ? `${several} models` : (params.mlModelVersion ?? params.mlModelVersions?.[0] ?? null)
}

/** `BTCUSDT 1h · v3 · Futures 10×`: what was run on what. */
export function runSetup(run: Pick<BacktestRunSummary, 'symbol' | 'timeframe' | 'params'>): string {
  const { params } = run
  const market = params.marketType === 'spot' ? 'Spot' : `Futures ${formatLeverage(params.leverage)}`
  return [`${run.symbol} ${run.timeframe}`, runModelText(params), market].filter(Boolean).join(' · ')
}

/** What one trade of the run was to be worth; with its asset where the market is at hand. */
export const runSizeWords = ({ params, symbol }: Pick<BacktestRunSummary, 'params' | 'symbol'>, market?: Market) =>
  sizeWords({ ...params, parameters: params.parameters ?? null, tradingPairs: [symbol] }, () => market)

/** `27 trades · PF 1.19 · 44% seen`; nothing breaks between PF and its figure. */
export function runResult(run: Pick<BacktestRunSummary, 'metrics' | 'seenRatio'>): string {
  const caution = runCaution(run)
  return [
    formatCounted(run.metrics.trades, 'trade'),
    `PF\u00a0${formatRatio(run.metrics.profitFactor)}`,
    caution?.short,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Why the return of a run is not to be believed, in a word or two and in a sentence; null where nothing is known against it. */
export function runCaution({
  seenRatio,
}: Pick<BacktestRunSummary, 'seenRatio'>): { short: string; text: string } | null {
  if (seenRatio <= 0) return null
  const share = `${wholePct(seenRatio)}%`
  return { short: `${share} seen`, text: `The model had seen, or may have seen, ${share} of this range` }
}

/** A share in whole percent; 0 and 100 are kept for none and all. */
export function wholePct(ratio: number): number {
  if (ratio <= 0) return 0
  if (ratio >= 1) return 100
  return Math.min(99, Math.max(1, Math.round(ratio * 100)))
}

/** Said after an interval beyond which the truth lies more often than it says. */
const warned = (text: string, { isTooNarrow }: RunIntervals): string => (isTooNarrow ? `${text}, too narrow` : text)

const endsOf = ([low, high]: readonly [number, number]): string => `${formatSigned(low, 1)} to ${formatSigned(high, 1)}`

/** `−64.2 to +150.0%`; a dash where there is none. */
export function returnInterval(intervals: RunIntervals | undefined): string {
  if (intervals?.totalReturnPct == null) return UNKNOWN
  return warned(`${endsOf(intervals.totalReturnPct)}%`, intervals)
}

/** `By trade −1.32, 95% interval −11.0 to +8.4`; null where there is none. */
export function sharpeInterval(intervals: RunIntervals | undefined): string | null {
  if (intervals?.sharpe == null) return null
  const { value, interval } = intervals.sharpe
  return warned(`By ${intervals.unit} ${formatRatio(value)}, 95% interval ${endsOf(interval)}`, intervals)
}

/** `0.61 to 1.42`; null where there is none. */
export function factorInterval(intervals: RunIntervals | undefined): string | null {
  if (intervals?.profitFactor == null) return null
  const [low, high] = intervals.profitFactor
  return warned(`${formatFixed(low, 2)} to ${formatFixed(high, 2)}`, intervals)
}

const LACKS: Readonly<Record<string, (intervals: RunIntervals) => string>> = {
  too_few: ({ unit, units }) =>
    `${formatCounted(units, unit)} ${units === 1 ? 'is' : 'are'} too few, at least 30 are needed`,
  too_few_wins_or_losses: ({ wins, losses }) =>
    `${formatCounted(wins, 'win')} and ${formatCounted(losses, 'loss', 'losses')}; at least 5 of each are needed`,
  unsteady: ({ unit }) => `the ${unit}s vary too little, or nothing was left`,
}
const SAYS: Readonly<Record<string, string>> = {
  may_be_luck: 'it may be luck either way',
  lost_beyond_chance: 'it lost more than chance explains',
  gained_beyond_chance: 'it gained more than chance explains, in this stretch of the market',
}

/** On a chip: that the result is no evidence; null where it is some. */
export function cautionOf({ verdict, unit }: RunIntervals): string | null {
  if (verdict in LACKS) return `too few ${unit}s to tell`
  return verdict === 'may_be_luck' ? 'may be luck' : null
}

/** What a return says, in a sentence; `figure` is `The return of −5.34%`. */
export function chanceSentence(figure: string, intervals: RunIntervals): string {
  const { verdict, unit, totalReturnPct, isTooNarrow, autocorrelation } = intervals
  const lack = LACKS[verdict]
  if (lack !== undefined) return `${figure} has no interval: ${lack(intervals)}.`
  const ends = totalReturnPct === null ? UNKNOWN : `${endsOf(totalReturnPct)}%`
  const narrow = isTooNarrow
    ? ` The interval is too narrow: each ${unit} resembles the one before (correlation ${formatFixed(autocorrelation, 2)}).`
    : ''
  return `${figure} has a 95% interval of ${ends}: ${SAYS[verdict]}.${narrow}`
}

/** The figures of the part that no model has seen; null where that is the whole run, or there is none. */
export const unseenMetrics = ({ seenRatio, seen }: Pick<BacktestRun, 'seenRatio' | 'seen'>) =>
  seenRatio > 0 ? (seen.unseen?.metrics ?? null) : null

type JudgedRun = Pick<BacktestRun, 'verdict' | 'seen' | 'seenRatio'> & { meta: Pick<BacktestRun['meta'], 'haltedAt'> }

/** What the part that no model has seen says, and its amber chip where that is no evidence; null where there is none. */
export function unseenVerdict({ verdict, seen, seenRatio, meta }: JudgedRun) {
  const part = seen.unseen
  if (verdict === null || part === null) return null
  if (verdict === 'halted_before')
    return {
      caution: 'too few trades to tell',
      text:
        `The drawdown limit ended it on ${formatDay(meta.haltedAt)}; 0 of ${formatCounted(part.candles, 'unseen candle')} ` +
        'were traded. Choose a smaller size, or turn on ‘Unseen candles only’, and run again.',
    }
  if (verdict === 'funding_unknown')
    return {
      caution: 'funding is not known',
      text: 'Too much of its funding was assumed to judge the net result. Bring the rates in on the Data Center page, and run again.',
    }
  const { intervals } = part
  if (verdict === 'no_intervals' || intervals === undefined)
    return { caution: null, text: 'This run is from before intervals were worked out as they are now. Run it again.' }
  const name = seenRatio > 0 ? 'The unseen return' : 'The return'
  const figure = `${name} of ${formatChangePct(part.metrics.totalReturnPct)}`
  return { caution: cautionOf(intervals), text: chanceSentence(figure, intervals) }
}

/** The facts of a run in chips: what was tested, when, and what came out over the whole range. */
export function runChips(run: BacktestRun) {
  const { metrics } = run
  return [
    ...(run.params.botName === '' ? [] : [run.params.botName]),
    run.symbols?.join(', ') ?? run.symbol,
    `${formatDateRange(run.startTime, run.endTime)} · ${run.timeframe}`,
    formatCounted(run.candles, 'candle'),
    formatCounted(metrics.trades, 'trade'),
    `Win rate ${formatSharePct(metrics.winRate)}`,
    `Profit factor ${formatRatio(metrics.profitFactor)}`,
    `Max drawdown ${formatFixed(-metrics.maxDrawdownPct, 1)}%`,
  ]
}
