import { startTransition, useEffect, useState } from 'react'

let isOver = false
const listeners = new Set<() => void>()

/** Calls `listener` once the first load is over. Returns what takes that back. */
export function afterFirstLoad(listener: () => void): () => void {
  if (isOver) {
    listener()
    return () => undefined
  }
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The page that was opened first has its figures: what has waited is asked for now. */
export function endFirstLoad(): void {
  if (isOver) return
  isOver = true
  for (const listener of listeners) listener()
  listeners.clear()
}

/** False until the page that was opened first has its figures: what they do without is asked for only then. */
export function useFirstLoadOver(): boolean {
  const [isKnownOver, setKnownOver] = useState(isOver)
  // Much is drawn again for it, and nobody waits for that.
  useEffect(() => afterFirstLoad(() => startTransition(() => setKnownOver(true))), [])
  return isKnownOver
}
