import { Box, Chip as MuiChip } from '@mui/material'
import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { colors, TINT, tint } from '../theme/tokens.ts'

/**
 * How a chip looks: tinted in a colour that means something, accent for what is current or under way, filled neutral
 * for state and facts, outline for limits and visibility, quiet for what is put aside.
 */
export type ChipTone = 'up' | 'down' | 'warn' | 'accent' | 'filled' | 'outline' | 'quiet'

const tinted = (color: string) => ({ backgroundColor: tint(color, TINT.colour), color })
const TONES = {
  up: tinted(colors.up),
  down: tinted(colors.down),
  warn: tinted(colors.warn),
  accent: { backgroundColor: tint(colors.accent, TINT.accent), color: colors.accentHi },
  filled: { backgroundColor: tint(colors.text2, TINT.neutral), color: colors.text },
  outline: { backgroundColor: 'transparent', color: colors.text2, border: `1px solid ${colors.buttonEdge}` },
  quiet: { backgroundColor: 'transparent', color: colors.text3, border: `1px solid ${colors.buttonEdge}` },
} as const

export interface ChipProps {
  label: ReactNode
  tone?: ChipTone
  icon?: ReactElement
  /** The colour of a dot before the word; the word says what it means. */
  dot?: string
  /** Makes the chip removable: the only chip that can be pressed. */
  onRemove?: () => void
  /** Said by a screen reader and on hover where the label is short. */
  title?: string
}

/** A small fact, 22 px high. Chips tell; only one with a cross can be pressed. */
export function Chip({ label, tone = 'filled', icon, dot, onRemove, title }: ChipProps) {
  const lead = dot === undefined ? icon : <Dot color={dot} />
  return (
    <MuiChip
      label={label}
      sx={TONES[tone]}
      {...(lead !== undefined && { icon: lead })}
      {...(onRemove !== undefined && { onDelete: onRemove, deleteIcon: <X /> })}
      {...(title !== undefined && { title })}
    />
  )
}

/** A health or state dot. Never stands without its word. */
function Dot({ color, sizePx = 6, ...rest }: { color: string; sizePx?: number; className?: string }) {
  return (
    <Box
      component="span"
      aria-hidden
      {...rest}
      sx={{
        display: 'inline-block',
        flexShrink: 0,
        width: `${sizePx}px !important`,
        height: `${sizePx}px !important`,
        borderRadius: '50%',
        '&.MuiChip-icon': { ml: 1, color: 'transparent' },
        backgroundColor: color,
      }}
    />
  )
}
