import { Check, ChevronDown, Ellipsis, type LucideIcon } from 'lucide-react'
import {
  type CSSProperties,
  type ElementType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button, IconButton, PlainButton } from './button.tsx'
import css from './menu.module.css'
import menuSelectCss from './menu-select.module.css'

const ITEM = ':is([role^="menuitem"], [role="option"]):not([aria-disabled="true"])'
/** Letters that follow each other within it are one word. */
const WORD_MS = 500

export interface MenuProps {
  /** What it hangs below; null while it is closed. */
  anchor: HTMLElement | null
  onClose: () => void
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  /** `listbox` for a choice: its items have the role `option`. */
  role?: 'menu' | 'listbox'
  /** Several of a listbox can be chosen. */
  'aria-multiselectable'?: boolean
  /** It ends where its anchor ends. */
  atEnd?: boolean
  /** Above the items and none of them; Tab goes between a control in it and the items. */
  head?: ReactNode
  style?: CSSProperties
  children: ReactNode
}

/**
 * Hangs below what opened it, above all else. Arrows, Home, End and letters go along its items; Escape, Tab and a press on
 * one close it.
 */
export const Menu = ({ anchor, ...menu }: MenuProps) => anchor !== null && <OpenMenu {...menu} anchor={anchor} />

function OpenMenu({
  anchor,
  onClose,
  role = 'menu',
  atEnd = false,
  head,
  style,
  children,
  ...list
}: MenuProps & { anchor: HTMLElement }) {
  const panel = useRef<HTMLDivElement>(null)
  const above = useRef<HTMLDivElement>(null)
  const word = useRef({ text: '', atMs: 0 })
  useLayoutEffect(() => {
    const box = panel.current!
    const place = () => placeBelow(box, anchor, { gapPx: 6, edgePx: 16, atEnd })
    box.parentElement!.showPopover?.()
    place()
    const first =
      box.querySelector<HTMLElement>(`${ITEM}[aria-selected="true"]`) ?? box.querySelector<HTMLElement>(ITEM)
    first?.focus()
    window.addEventListener('resize', place)
    document.addEventListener('scroll', place, true)
    return () => {
      window.removeEventListener('resize', place)
      document.removeEventListener('scroll', place, true)
      if (box.contains(document.activeElement)) anchor.focus()
    }
  }, [anchor, atEnd])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // What lies below has keys of its own.
    event.stopPropagation()
    const items = [...panel.current!.querySelectorAll<HTMLElement>(ITEM)]
    const control = above.current!.querySelector<HTMLElement>('button:not(:disabled)')
    const isAbove = above.current!.contains(event.target as Element)
    let next: HTMLElement | null | undefined
    if (event.key === 'Tab') next = isAbove ? items[0] : control
    else if (!isAbove) next = nextItem(items, items.indexOf(event.target as HTMLElement), event, word.current)
    if (next) next.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else return
    event.preventDefault()
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the menu, which Escape closes as well
    <div
      popover="manual"
      className={css.window}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget || (target as Element).closest(`${ITEM}:not([data-stays])`)) onClose()
      }}
      onKeyDown={onKeyDown}
    >
      <div
        ref={panel}
        className={css.panel}
        style={role === 'listbox' ? { minWidth: anchor.offsetWidth, ...style } : style}
      >
        <div ref={above}>{head}</div>
        <div {...list} role={role} tabIndex={-1} className={css.items}>
          {children}
        </div>
      </div>
    </div>,
    // All else is out of reach while a dialog is open.
    anchor.closest('dialog') ?? document.body,
  )
}

/** Where a key leads to: along the items and around, or to the next one that begins with the letters typed. */
function nextItem(
  items: readonly HTMLElement[],
  at: number,
  { key, timeStamp, ctrlKey, metaKey }: KeyboardEvent,
  word: { text: string; atMs: number },
): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(Math.max(at, 0) - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length > 1 || key === ' ' || ctrlKey || metaKey) return undefined
  word.text = (timeStamp - word.atMs < WORD_MS ? word.text : '') + key.toLowerCase()
  word.atMs = timeStamp
  const start = word.text.length === 1 ? at + 1 : at
  return [...items.slice(start), ...items.slice(0, start)].find((item) =>
    item.textContent.trim().toLowerCase().startsWith(word.text),
  )
}

/** A line of a menu; `as` a link where it leads somewhere. */
export function MenuItem<Tag extends ElementType = 'button'>({
  selected = false,
  danger = false,
  disabled = false,
  stays = false,
  className,
  ...item
}: {
  /** It is what is chosen now. */
  selected?: boolean
  /** Something is lost by it. */
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** Its menu stays open. */
  stays?: boolean
  className?: string | undefined
} & Parameters<typeof PlainButton<Tag>>[0]) {
  const classes = [css.item, selected && css.selected, danger && css.danger, className].filter(Boolean).join(' ')
  const off = { ...(disabled && { 'aria-disabled': true, onClick: undefined }), ...(stays && { 'data-stays': true }) }
  return <PlainButton<ElementType> role="menuitem" tabIndex={-1} {...item} {...off} className={classes} />
}

/** A line of a menu that is on or off. */
export const MenuChoice = ({
  role = 'menuitemcheckbox',
  isChosen,
  onClick,
  children,
}: {
  role?: 'menuitemcheckbox' | 'menuitemradio'
  isChosen: boolean
  onClick: () => void
  children: ReactNode
}) => (
  <MenuItem
    role={role}
    stays={role === 'menuitemcheckbox'}
    aria-checked={isChosen}
    onClick={onClick}
    style={{ gap: 8 }}
  >
    <Check size={14} style={{ visibility: isChosen ? 'visible' : 'hidden' }} />
    {children}
  </MenuItem>
)

export const MenuDivider = () => <hr className={css.divider} />

/** Names the items that follow. */
export const MenuHead = ({ children }: { children: ReactNode }) => (
  <div role="presentation" className={css.title}>
    {children}
  </div>
)

/**
 * Puts what floats over the page right below its anchor, above it where it fits only there, and inside the window.
 * `atEnd`: it ends where its anchor ends.
 */
export function placeBelow(
  floating: HTMLElement,
  anchor: Element,
  { gapPx, edgePx, atEnd = false }: { gapPx: number; edgePx: number; atEnd?: boolean },
): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const farthest = window.innerWidth - width - edgePx
  const lowest = window.innerHeight - height - edgePx
  const below = bottom + gapPx
  const above = top - gapPx - height
  floating.style.left = `${Math.max(edgePx, Math.min(atEnd ? right - width : left, farthest))}px`
  floating.style.top = `${below <= lowest ? below : above >= edgePx ? above : Math.max(edgePx, lowest)}px`
}

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly icon?: LucideIcon
  readonly isDanger?: boolean | undefined
}

export interface MenuSelectProps<Value extends string> {
  /** Said by a screen reader before the value. */
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
  /** As a title of a card, as a chip beside it, or as three dots for what is done and not chosen. */
  look: 'title' | 'chip' | 'more'
}

/** A choice that stands in the head of a card: its value as a word, the others in a menu. */
export function MenuSelect<Value extends string>({ label, value, choices, onChange, look }: MenuSelectProps<Value>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const shown = choices.find((choice) => choice.value === value)?.label ?? value
  const opens = {
    size: 'small',
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== null,
    title: label,
    onClick: (event: MouseEvent<HTMLElement>) => setAnchor(event.currentTarget),
  } as const
  return (
    <>
      {look === 'more' ? (
        <IconButton {...opens} aria-label={label}>
          <Ellipsis />
        </IconButton>
      ) : (
        <Button {...opens} variant="text" endIcon={<ChevronDown />} className={menuSelectCss[look]}>
          {shown}
        </Button>
      )}
      <Menu anchor={anchor} onClose={() => setAnchor(null)} aria-label={label} style={{ maxHeight: 360 }}>
        {choices.map(({ value: next, label: words, icon: Icon, isDanger }) => (
          <MenuItem key={next} selected={next === value} danger={isDanger} onClick={() => onChange(next)}>
            {Icon && <Icon />}
            {words}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
