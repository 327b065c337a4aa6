import { Button, IconButton, MenuItem } from '@mui/material'
import { ChevronDown, Ellipsis, type LucideIcon } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { colors, radius } from '../theme/tokens.ts'
import { typeScale } from '../theme/typography.ts'
import { Menu } from './overlays.tsx'

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly icon?: LucideIcon
  readonly isDanger?: boolean
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
        <Button {...opens} variant="text" endIcon={<ChevronDown />} sx={look === 'title' ? titleStyle : chipStyle}>
          {shown}
        </Button>
      )}
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { sx: { maxHeight: 360 } }, list: { 'aria-label': label } }}
      >
        {choices.map(({ value: next, label: words, icon: Icon, isDanger }) => (
          <MenuItem
            key={next}
            selected={next === value}
            {...(isDanger && { sx: { color: colors.down } })}
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

const titleStyle = {
  ...typeScale.h2,
  ml: '-9px',
  color: colors.text,
  '& .MuiButton-endIcon': { ml: 0.75, color: colors.text2 },
} as const

const chipStyle = {
  ...typeScale.label,
  height: 24,
  px: 0.875,
  borderRadius: `${radius.chip}px`,
  borderColor: colors.buttonEdge,
  color: colors.text2,
  '& .MuiButton-endIcon': { ml: 0.5 },
} as const
