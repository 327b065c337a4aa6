import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/** False while a page is drawn for the first time, true once that is painted: for what is not seen first. */
export function useDrawnLater(): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => afterPaint(() => startTransition(() => setLater(true))), [])
  return isLater
}
