import { type ReactNode, useEffect, useState } from 'react'
import { ConfirmDialog } from './dialog.tsx'

/**
 * Asks before what was typed is thrown away: by closing, by Back, by leaving the page. `leave` is for Cancel and Escape,
 * `question` stands beside the form.
 */
export function useUnsaved(isUnsaved: boolean, onClose: () => void): { leave: () => void; question: ReactNode } {
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  useEffect(() => {
    if (!isUnsaved) return
    let isReturning = false
    // Before the router hears of it: the address comes back, and the form stays.
    const onBack = (event: PopStateEvent) => {
      event.stopImmediatePropagation()
      if (!isReturning) {
        window.history.forward()
        setGoOn(() => () => {
          window.removeEventListener('popstate', onBack, true)
          window.history.back()
        })
      }
      isReturning = !isReturning
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('popstate', onBack, true)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      window.removeEventListener('popstate', onBack, true)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isUnsaved])
  return {
    leave: isUnsaved ? () => setGoOn(() => onClose) : onClose,
    question: goOn !== null && (
      <ConfirmDialog
        title="Discard what you typed?"
        text="It is not saved yet."
        confirmLabel="Discard"
        onConfirm={() => {
          setGoOn(null)
          goOn()
        }}
        onClose={() => setGoOn(null)}
        busy={false}
        error={undefined}
      />
    ),
  }
}
