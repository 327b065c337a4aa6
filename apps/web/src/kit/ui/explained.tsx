import { createContext, useContext, useId, useRef } from 'react'
import css from './explained.module.css'

const GAP_PX = 6
const WIDTH_PX = 280
const EDGE_PX = 8

/** What a label means, where the product knows it: the kit itself knows no words. */
export const MeaningContext = createContext<(label: string) => string | undefined>(() => undefined)

/** A label with its meaning on hover and focus, above all else on the page; a plain label where none is known. */
export function Explained({ label }: { label: string }) {
  const meaning = useContext(MeaningContext)(label)
  const id = useId()
  const tip = useRef<HTMLElement>(null)
  if (meaning === undefined) return label
  const show = (word: HTMLElement) => {
    const shown = tip.current
    if (shown === null) return
    shown.showPopover?.()
    const at = word.getBoundingClientRect()
    const left = Math.max(EDGE_PX, Math.min(at.left, window.innerWidth - WIDTH_PX - EDGE_PX))
    const fitsBelow = at.bottom + GAP_PX + shown.offsetHeight < window.innerHeight
    shown.style.left = `${left}px`
    shown.style.top = `${fitsBelow ? at.bottom + GAP_PX : at.top - GAP_PX - shown.offsetHeight}px`
  }
  const hide = () => tip.current?.hidePopover?.()
  return (
    <>
      <dfn
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard opens its meaning by focus
        tabIndex={0}
        aria-describedby={id}
        onMouseEnter={(event) => show(event.currentTarget)}
        onMouseLeave={hide}
        onFocus={(event) => show(event.currentTarget)}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
        className={css.word}
      >
        {label}
      </dfn>
      <span ref={tip} id={id} role="tooltip" popover="manual" className={css.tip}>
        {meaning}
      </span>
    </>
  )
}
