import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { MOST_COMPARED_RUNS, whyNotComparable } from '@shapecast/contracts/run-comparison'

type Comparable = Pick<BacktestRunSummary, '_id' | 'venue' | 'symbol' | 'timeframe' | 'startTime' | 'endTime'>

const WHY = { other_market: 'Another market or timeframe than', other_range: 'Another range than' } as const

/** Why a run cannot be compared with those that are ticked; null where it can. */
export function compareDisabledReason(
  run: Comparable,
  all: readonly Comparable[] | undefined,
  ticked: readonly string[],
  firstName = 'the first one',
): string | null {
  if (ticked.includes(run._id)) return null
  if (ticked.length >= MOST_COMPARED_RUNS) return `At most ${MOST_COMPARED_RUNS} runs are compared`
  const first = all?.find(({ _id }) => _id === ticked[0])
  if (first === undefined) return null
  const why = whyNotComparable(run, first)
  return why === null ? null : `${WHY[why]} ${firstName}`
}

export const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]
