import { ChevronDown, Ellipsis, type LucideIcon } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Menu, MenuItem } from './menu.tsx'
import css from './menu-select.module.css'

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
        <Button {...opens} variant="text" endIcon={<ChevronDown />} className={css[look]}>
          {shown}
        </Button>
      )}
      <Menu anchor={anchor} onClose={() => setAnchor(null)} aria-label={label} style={{ maxHeight: 360 }}>
        {choices.map(({ value: next, label: words, icon: Icon, isDanger }) => (
          <MenuItem
            key={next}
            selected={next === value}
            danger={isDanger}
            onClick={() => {
              setAnchor(null)
              onChange(next)
            }}
          >
            {Icon && <Icon />}
            {words}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
