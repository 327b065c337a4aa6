import type { Evaluation } from '@shapecast/contracts/evaluation'
import { directionVerdict } from '#entities/models/direction-verdict.ts'
import { spanWords } from '#entities/models/interval-words.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { coverageTolerance } from './fan-words.ts'

/** One row of the verdict: what, a word on it, a sentence, the figure, and how sure it is. */
export interface VerdictRow {
  readonly name: string
  readonly chip: string
  /** Amber: it did not hold up. */
  readonly isCaution: boolean
  readonly sentence: string
  readonly figure: string
  readonly basis: string
}

type Judged = Pick<Evaluation, 'fan' | 'accuracy' | 'trading' | 'uncertainty'>
const PROMISED = 0.9

function rangeRow({ fan }: Judged): VerdictRow | null {
  const near = fan[0]
  if (near === undefined) return null
  const off = near.coverage90 - PROMISED
  const isKept = Math.abs(off) <= coverageTolerance(near.horizon)
  const inside = Math.round(near.coverage90 * near.outcomes)
  return {
    name: 'Range',
    chip: isKept ? 'Kept its promise' : off < 0 ? 'Too narrow' : 'Too wide',
    isCaution: !isKept,
    sentence: `Nine of ten closes should land inside its 90% range: ${formatCount(inside)} of ${formatCount(near.outcomes)} did.`,
    figure: formatShareRatio(near.coverage90),
    basis: `of 90% promised · ${formatInterval(near.coverage90Interval)}`,
  }
}

function directionRow({ accuracy }: Judged): VerdictRow {
  const { isBetter, words } = directionVerdict(accuracy)
  const isReversal = accuracy.reversalBaseline >= accuracy.majorityBaseline
  const rule = isReversal ? 'Always betting against the last candle' : 'Always betting on the more frequent direction'
  return {
    name: 'Direction',
    chip: words.charAt(0).toUpperCase() + words.slice(1),
    isCaution: !isBetter,
    sentence: `${rule} was right ${formatShareRatio(Math.max(accuracy.reversalBaseline, accuracy.majorityBaseline))} of the time.`,
    figure: formatShareRatio(accuracy.accuracy),
    basis: `right · ${formatInterval(accuracy.interval)}`,
  }
}

function tradingRow({ trading, uncertainty }: Judged): VerdictRow {
  const { netPct } = trading.signal
  const hold = trading.buyAndHold.netPct
  const ahead = netPct - hold
  const interval = uncertainty?.tradedNetPct ?? null
  const isApart = interval !== null && (hold < interval[0] || hold > interval[1])
  // What may be luck is no success.
  const mayBeLuck = netPct >= 0 && interval !== null && interval[0] <= 0
  return {
    name: 'Traded plainly',
    chip: netPct < 0 ? 'Lost money' : mayBeLuck ? 'May be luck' : 'Made money',
    isCaution: netPct < 0 || ahead < 0 || mayBeLuck,
    sentence: `Buy and hold over the same ${formatCounted(trading.candles, 'candle')}: ${formatChangePct(hold)}.${isApart ? '' : ' Too few to tell them apart.'}`,
    figure: formatChangePct(netPct),
    basis:
      interval === null
        ? `net · ${Math.abs(ahead).toFixed(2)} points ${ahead < 0 ? 'less' : 'more'}`
        : `net · 95% CI ${spanWords(interval)}`,
  }
}

/** What a model is worth, in three rows: its range, its direction, and its signal traded plainly. */
export const modelVerdicts = (evaluation: Judged): VerdictRow[] =>
  [rangeRow(evaluation), directionRow(evaluation), tradingRow(evaluation)].filter((row) => row !== null)

/** What follows from the verdict for somebody who trades. */
export function whatFollows(rows: readonly VerdictRow[]): string {
  const isCaution = (name: string) => rows.find((row) => row.name === name)?.isCaution !== false
  if (!isCaution('Direction') && !isCaution('Traded plainly'))
    return 'Backtest it over other months before a bot trades on it.'
  if (!isCaution('Range')) return 'Let it set the size, not the side: a bot with Model as brake does that.'
  return 'Train it again on more candles, or do not trade on it.'
}
