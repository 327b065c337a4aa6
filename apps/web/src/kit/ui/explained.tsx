import { createContext, useContext, useId, useRef } from 'react'
import css from './explained.module.css'
import { placeBelow } from './menu.tsx'

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
    placeBelow(shown, word, { gapPx: 6, edgePx: 8 })
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
