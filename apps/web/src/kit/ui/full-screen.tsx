import { type ReactNode, useLayoutEffect, useRef } from 'react'
import css from './full-screen.module.css'
import layout from './layout.module.css'

/** All that stands beside a part of the page, or beside what it stands in. */
function* around(part: Element): Generator<Element> {
  for (let place = part; place.parentElement !== null && place !== document.body; place = place.parentElement)
    for (const one of place.parentElement.children) if (one !== place) yield one
}

/**
 * Shows its children on the whole screen while `isOn`, as a dialog that Escape closes. They stay mounted, so what they
 * show stays as it is.
 */
export function FullScreen({
  isOn,
  label,
  onClose,
  children,
}: {
  isOn: boolean
  label: string
  onClose: () => void
  children: ReactNode
}) {
  const part = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!isOn) return
    const others = [...around(part.current!)].filter((one) => !one.hasAttribute('inert'))
    for (const one of others) one.setAttribute('inert', '')
    if (!part.current!.contains(document.activeElement)) part.current!.focus()
    return () => {
      for (const one of others) one.removeAttribute('inert')
    }
  }, [isOn])
  return (
    <div className={layout.shrinks}>
      <div
        ref={part}
        tabIndex={-1}
        className={isOn ? `${css.part} ${css.full}` : css.part}
        {...(isOn && {
          role: 'dialog',
          'aria-modal': true,
          'aria-label': label,
          onKeyDown: ({ key }) => {
            if (key === 'Escape') onClose()
          },
        })}
      >
        {children}
      </div>
    </div>
  )
}
