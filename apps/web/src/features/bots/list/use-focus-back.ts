import { useEffect, useRef } from 'react'

/**
 * Once what the address opened is closed, gives the focus to the control with the id `opener`, which opens it: a page
 * that came with it open has had the focus nowhere else.
 */
export function useFocusBack(opener: string | null): void {
  const before = useRef(opener)
  useEffect(() => {
    const closed = opener === null ? before.current : null
    before.current = opener
    if (closed !== null && document.activeElement === document.body) document.getElementById(closed)?.focus()
  }, [opener])
}
