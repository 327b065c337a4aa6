import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Px that the button takes which opens the rest of a row. */
const OPENER_PX = 46

export interface MeasuredColumn {
  readonly keep: boolean
  /** Px that it takes with nothing broken. */
  readonly widthPx: number
}

/** Which columns stand in `roomPx`: all where they fit, else those that are kept and as many of the others, in order. */
export function fittingColumns(columns: readonly MeasuredColumn[], roomPx: number): boolean[] {
  const total = columns.reduce((sum, { widthPx }) => sum + widthPx, 0)
  if (total <= roomPx) return columns.map(() => true)
  let left = roomPx - OPENER_PX
  for (const { keep, widthPx } of columns) if (keep) left -= widthPx
  return columns.map(({ keep, widthPx }) => {
    if (keep) return true
    left -= widthPx
    return left >= 0
  })
}

/**
 * Which of a table's columns have room where it stands; null where all stand in it with nothing broken. The table is measured before it is
 * painted, with every column drawn, the first time that it is wider than its box.
 */
export function useFittingColumns(keeps: readonly boolean[]): {
  box: RefObject<HTMLDivElement | null>
  shown: readonly boolean[] | null
} {
  const box = useRef<HTMLDivElement>(null)
  const measured = useRef<MeasuredColumn[] | null>(null)
  const [shown, setShown] = useState<readonly boolean[] | null>(null)
  const keepKey = keeps.map(Number).join('')
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (element == null || table == null) return
    const fit = () => {
      const roomPx = element.clientWidth
      if (shown === null) {
        if (roomPx === 0 || table.offsetWidth <= roomPx) return
        const heads = [...table.querySelectorAll<HTMLElement>(':scope > thead th')]
        measured.current = heads.map((head, i) => ({ keep: keepKey[i] === '1', widthPx: head.offsetWidth }))
      }
      const next = fittingColumns(measured.current ?? [], roomPx)
      const total = (measured.current ?? []).reduce((sum, { widthPx }) => sum + widthPx, 0)
      if (total <= roomPx) setShown(null)
      else if (shown === null || next.some((is, i) => is !== shown[i])) setShown(next)
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    observer.observe(table)
    return () => observer.disconnect()
  }, [shown, keepKey])
  return { box, shown }
}
