import { useEffect } from 'react'

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])'

/** A control and all that it stands in, innermost first. */
function pathOf(control: Element): Element[] {
  const path: Element[] = []
  for (let place: Element | null = control; place !== null; place = place.parentElement) path.push(place)
  return path
}

const isUsable = (element: Element) => !element.matches(':disabled, [hidden] *, [inert] *, [aria-hidden="true"] *')

/** Gives the focus back to the control, or to the first in what is left around it. False where nothing is left. */
function giveBack([control, ...around]: readonly Element[]): boolean {
  if (control === undefined) return false
  if (control.isConnected) {
    if (isUsable(control)) (control as HTMLElement).focus({ preventScroll: true })
    return true
  }
  const left = around.find((place) => place.isConnected)
  if (left === undefined || left === document.body) return false
  for (const place of pathOf(left)) {
    const next = [...place.querySelectorAll<HTMLElement>(CONTROLS)].find(isUsable)
    if (next !== undefined) {
      next.focus({ preventScroll: true })
      break
    }
    if (place.matches('main')) break
  }
  return true
}

/**
 * Keeps the keyboard's place: where the control that has the focus goes away, moves with its row or is off for a while,
 * the focus goes to the first control in what is left around it, or back to it; after a dialog to where it was opened.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let inDialog: readonly Element[] = []
    let inPage: readonly Element[] = []
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target === document.body) return
      const path = pathOf(target)
      if (target.closest('dialog, [popover]') !== null) inDialog = path
      else [inDialog, inPage] = [[], path]
    }
    // Pressed beside all controls, nothing has the focus; pressed on one, that is noted right after.
    const forget = () => {
      inDialog = []
      inPage = []
    }
    const mend = () => {
      if (document.activeElement !== document.body) return
      if (!giveBack(inDialog)) giveBack(inPage)
    }
    const changes = new MutationObserver(mend)
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', note)
    document.addEventListener('mousedown', forget, true)
    return () => {
      changes.disconnect()
      document.removeEventListener('focusin', note)
      document.removeEventListener('mousedown', forget, true)
    }
  }, [])
}
