import type { RandomEntries, RangePart } from '@shapecast/contracts/backtest-results'
import type { BacktestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import type { EngineTrade } from '@shapecast/engine/journal'
import { createRandom } from '@shapecast/engine/random'
import { entryStudyOf, judgeEntries } from '@shapecast/engine/rules/random-entries'

const BINS = 26
/** The same run has the same draws. */
const SEED = 1

/** What one pair of a run traded. */
export interface TradedPair {
  readonly candles: Candles
  readonly trades: readonly EngineTrade[]
  readonly settings: BacktestSettings
}

/** The entries of a run beside random ones; `part` is what may be judged, null where all has been seen. */
export function randomEntries(
  pairs: readonly TradedPair[],
  part: Pick<RangePart, 'from' | 'to'> | null,
  isUnseenPart: boolean,
): RandomEntries {
  const studies = pairs.map(({ candles, trades, settings }) => {
    const [from, to] =
      part === null ? [0, 0] : [indexAtOrAfter(candles, part.from), indexAtOrAfter(candles, part.to + 1)]
    const isWithin = ({ entryTime, exitTime }: EngineTrade) =>
      part !== null && entryTime >= part.from && exitTime <= part.to
    return entryStudyOf(sliceCandles(candles, from, to), trades.filter(isWithin), settings)
  })
  const { random, ...found } = judgeEntries(studies, createRandom(SEED))
  return { ...found, isUnseenPart, random: random.length === 0 ? null : binned(random) }
}

/** `sorted` rises. */
function binned(sorted: readonly number[]): NonNullable<RandomEntries['random']> {
  const [fromPct, toPct] = [sorted[0]!, sorted.at(-1)!]
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of sorted) {
    const bin = toPct === fromPct ? 0 : Math.floor((BINS * (value - fromPct)) / (toPct - fromPct))
    counts[Math.min(bin, BINS - 1)]!++
  }
  return { fromPct, toPct, counts }
}
