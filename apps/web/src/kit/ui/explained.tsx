import { Box } from '@mui/material'
import { createContext, useContext, useId, useRef } from 'react'
import { colors } from '../theme/tokens.ts'

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
      <Box
        component="dfn"
        tabIndex={0}
        aria-describedby={id}
        onMouseEnter={(event: { currentTarget: HTMLElement }) => show(event.currentTarget)}
        onMouseLeave={hide}
        onFocus={(event: { currentTarget: HTMLElement }) => show(event.currentTarget)}
        onBlur={hide}
        onKeyDown={(event: { key: string }) => event.key === 'Escape' && hide()}
        sx={wordStyle}
      >
        {label}
      </Box>
      <Box component="span" ref={tip} id={id} role="tooltip" popover="manual" sx={tipStyle}>
        {meaning}
      </Box>
    </>
  )
}

const wordStyle = {
  fontStyle: 'normal',
  cursor: 'help',
  textDecoration: `underline dotted ${colors.field}`,
  textUnderlineOffset: '3px',
} as const
const tipStyle = {
  position: 'fixed',
  inset: 'auto',
  m: 0,
  px: 1.5,
  py: 1,
  width: WIDTH_PX,
  borderRadius: 1,
  border: `1px solid ${colors.buttonEdge}`,
  backgroundColor: colors.raised,
  color: colors.text,
  typography: 'small',
  textAlign: 'left',
  whiteSpace: 'normal',
} as const
