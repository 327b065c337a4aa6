import type { BacktestRunSummary } from '@shapecast/contracts/backtest'

export const MOST_COMPARED = 5

type Comparable = Pick<BacktestRunSummary, '_id' | 'venue' | 'symbol' | 'timeframe' | 'startTime' | 'endTime'>

const isSameMarket = (a: Comparable, b: Comparable): boolean =>
  a.venue === b.venue && a.symbol === b.symbol && a.timeframe === b.timeframe

/** Runs whose ranges overlap by half of the shorter one at least can be laid over each other. */
function overlaps(a: Comparable, b: Comparable): boolean {
  const common = Math.min(a.endTime, b.endTime) - Math.max(a.startTime, b.startTime)
  return common >= Math.min(a.endTime - a.startTime, b.endTime - b.startTime) / 2
}

/** Why a run cannot be compared with those that are ticked; null where it can. */
export function whyNotCompared(
  run: Comparable,
  all: readonly Comparable[] | undefined,
  ticked: readonly string[],
  firstName = 'the first one',
): string | null {
  if (ticked.includes(run._id)) return null
  if (ticked.length >= MOST_COMPARED) return `At most ${MOST_COMPARED} runs are compared`
  const first = all?.find(({ _id }) => _id === ticked[0])
  if (first === undefined) return null
  if (!isSameMarket(run, first)) return `Another market or timeframe than ${firstName}`
  return overlaps(run, first) ? null : `Another range than ${firstName}`
}

export const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]
