import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * Counts from 1 to `turns`, each after the one before is painted: a page that is drawn part after part holds up the
 * browser for less at a time. What is above comes first, so that nothing is pushed about. Stays at 0 until `isDue`.
 */
export function useTurns(turns: number, isDue = true): number {
  const [turn, setTurn] = useState(isDue ? 1 : 0)
  const isOn = isDue && turn < turns
  useEffect(() => (isOn ? afterPaint(() => startTransition(() => setTurn(turn + 1))) : undefined), [isOn, turn])
  return turn
}
