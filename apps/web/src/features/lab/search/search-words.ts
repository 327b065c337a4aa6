import { isEarned, type SearchResult, type SearchSummary } from '@shapecast/contracts/search'
import { formatCount, formatCounted, formatFixed, MINUS } from '#kit/format/number.ts'
import { formatDate, formatDuration } from '#kit/format/time.ts'

type Verdict = NonNullable<SearchSummary['verdict']>

export const pctWords = (pct: number): string => `${formatFixed(Math.abs(pct), 2)}%`

/** What a search says, the verdict first. Never green. */
export function verdictWords(verdict: Verdict, result: SearchResult) {
  const { best, luck, overfitting, searched } = result
  const isLuck = verdict.code === 'cannot_tell'
  const earned = isEarned(verdict)
  return {
    title: isLuck ? 'No better than luck' : earned ? 'More than luck, so far' : 'More than luck where it was chosen',
    isLuck,
    lines: [
      `The best of ${formatCount(verdict.points)} has a Sharpe of ${formatFixed(best.sharpe, 2)} on the searched part; over ${formatCounted(luck.tries, 'try', 'tries')} on this series luck alone gives about ${formatFixed(luck.sharpe, 2)}.`,
      overfitting === null
        ? `${formatCounted(searched.days, 'day')} are too few to say how often choosing misleads.`
        : `Chosen on one half of the history, the winner fell into the lower half of all settings on the other in ${formatFixed(100 * overfitting.probability, 0)}% of ${formatCount(overfitting.choices)} splits.`,
      keptLine(verdict, result),
      ...(best.haltedAt == null
        ? []
        : [`Its drawdown limit ended it on ${formatDate(best.haltedAt)}: it traded nothing after that.`]),
    ],
    next: nextStep(verdict),
    /** Why the settings cannot be taken as more than luck; null where they can. */
    obstacle: earned ? null : obstacleOf(verdict),
  }
}

function keptLine({ kept }: Verdict, { keptRun }: SearchResult): string {
  if (kept === 'none') return 'No part was kept unseen, so nothing shows whether it goes on.'
  if (kept === 'spent' || keptRun === null)
    return 'The kept part had been opened by an earlier run of yours: what the best did on it proves nothing and is not shown.'
  const { returnPct, holdPct, trades } = keptRun
  const little = trades < 30 ? `; ${formatCounted(trades, 'trade')}, so this alone proves little` : ''
  return `On the part kept unseen it ${madeOrLost(returnPct)} while holding ${madeOrLost(holdPct)}${little}.`
}

const madeOrLost = (pct: number): string => `${pct < 0 ? 'lost' : 'made'} ${pctWords(pct)}`

function nextStep(verdict: Verdict): string {
  if (isEarned(verdict))
    return 'What next: a virtual bot with these settings. It is judged again from its first day; in the past about half of such an edge was left.'
  if (verdict.kept === 'none') return 'What next: search again with a part kept unseen.'
  return 'What next: try the same on a coin that it has not seen, or wait for new candles. The kept part is spent and will not be shown as unseen again.'
}

const obstacleOf = ({ code, p }: Verdict): string =>
  code === 'cannot_tell'
    ? `Off: ${formatFixed(100 * p, 1)}% of reshuffled histories do as well by luck; at most 5% is asked`
    : 'Off: it needs a kept part that was opened for it alone'

/** How far a search is. */
export function progressWords({
  status,
  progress: { current, total, leftS },
}: Pick<SearchSummary, 'status' | 'progress'>): string {
  if (status === 'queued') return 'Waiting for a worker'
  if (current >= total) return `All ${formatCount(total)} done: working out what luck gives`
  const left = leftS == null ? '' : ` · about ${formatDuration(1000 * leftS)} left`
  return `Running, ${formatCount(current)} of ${formatCount(total)} combinations${left}`
}

/** What one parameter's values did. */
export const movedWords = ({ best, worst }: { best: number; worst: number }): string =>
  best === worst ? 'one value' : `${signed(best)} best, ${signed(worst)} worst`
const signed = (value: number): string => String(value).replace('-', MINUS)

const BINS = 24

/** How many of the known values lie in each of some stretches of the same length. */
export function spreadOf(values: readonly (number | null)[]): { from: number; to: number; count: number }[] {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const width = (high - low) / BINS || 1
  const counts = new Array<number>(BINS).fill(0)
  for (const value of known) counts[Math.min(BINS - 1, Math.floor((value - low) / width))]!++
  return counts.map((count, k) => ({ from: low + k * width, to: low + (k + 1) * width, count }))
}
