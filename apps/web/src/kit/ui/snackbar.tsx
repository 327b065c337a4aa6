import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import css from './snackbar.module.css'

/** A line at the foot of the window that goes by itself, but not while it is pointed at or has the focus. */
export function Snackbar({
  durationMs,
  onClose,
  action,
  children,
}: {
  durationMs: number
  onClose: () => void
  action: ReactNode
  children: ReactNode
}) {
  const [isHeld, setIsHeld] = useState(false)
  const end = useEffectEvent(onClose)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => end(), durationMs)
    return () => clearTimeout(timer)
  }, [isHeld, durationMs])
  return (
    <div
      role="alert"
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={css.snackbar}
    >
      <span className={css.message}>{children}</span>
      <span className={css.action}>{action}</span>
    </div>
  )
}
