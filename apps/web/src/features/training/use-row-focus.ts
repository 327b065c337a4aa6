import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the keyboard's place in a list whose rows change under it: where the control that has the focus goes away, the
 * focus goes to the first control of its row, or of the list where the row is gone too. Rows carry `data-row`.
 */
export function useRowFocus<List extends HTMLElement>(): RefObject<List | null> {
  const list = useRef<List>(null)
  const last = useRef<{ control: Element; row: string | undefined } | null>(null)
  useEffect(() => {
    const note = () => {
      const control = document.activeElement
      // Nothing has the focus once its control has gone: that is no move to elsewhere.
      if (control === null || control === document.body) return
      const isOurs = list.current?.contains(control) === true
      last.current = isOurs ? { control, row: control.closest<HTMLElement>('[data-row]')?.dataset.row } : null
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useLayoutEffect(() => {
    if (last.current === null || document.activeElement !== document.body) return
    const { control, row } = last.current
    if (list.current?.contains(control) === true) return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const place = rows.find((one) => one.dataset.row === row) ?? list.current
    place?.querySelector<HTMLElement>('button, a')?.focus()
  })
  return list
}
