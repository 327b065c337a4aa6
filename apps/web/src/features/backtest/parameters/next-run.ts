import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Parameters } from './parameters.ts'
import type { SizeWorth } from './size-worth.ts'

export interface NextRun {
  readonly words: string
  /** What to change in the fields before it. */
  readonly change: Partial<Parameters>
}

type JudgedRun = Pick<BacktestRun, 'seenRatio'> & { meta: Pick<BacktestRun['meta'], 'haltedAt'> }

/**
 * What to run after a run that was seen in part or that the drawdown limit ended: the candles that no model has seen, with
 * a size of the balance at most. A bot keeps its own size: `worth` is null then. Null where there is nothing better to run.
 */
export function nextRun(
  run: JudgedRun,
  hasUnseen: boolean,
  worth: Pick<SizeWorth, 'ratio' | 'onceSize'> | null,
): NextRun | null {
  const isSeen = run.seenRatio > 0 && hasUnseen
  const isLarge = worth !== null && worth.ratio > 1 && worth.onceSize > 0
  if (!isSeen && !(isLarge && run.meta.haltedAt !== null)) return null
  const unseen = isSeen ? ' on unseen candles' : ' again'
  return {
    words: `Run${unseen}${isLarge ? ' at 1×' : ''}`,
    change: { ...(isSeen && { unseenOnly: true }), ...(isLarge && { positionSize: worth.onceSize }) },
  }
}
