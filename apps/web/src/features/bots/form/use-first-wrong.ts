import { type RefObject, useEffect, useRef } from 'react'

/** The part of a form whose first wrong field gets the focus at each of `tries` to send it: it may be out of sight. */
export function useFirstWrong(tries: number): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  return fields
}
