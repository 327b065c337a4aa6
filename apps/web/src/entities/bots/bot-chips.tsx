import '@fontsource/noto-emoji/400.css'
import type { Bot } from '@shapecast/contracts/bots'
import { CircleAlert, Eye, Globe, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { Row } from '#kit/ui/primitives.tsx'

/** Long or short as a triangle and a word, or other words of the same direction. */
export function SideMark({ side, children }: { side: 'long' | 'short'; children?: ReactNode }) {
  const long = side === 'long'
  return (
    <Row as="span" gap={1} style={{ display: 'inline-flex', verticalAlign: 'top' }}>
      <svg width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
        <path d={long ? 'M4 .5 7.5 6.5h-7Z' : 'M4 6.5.5.5h7Z'} fill={long ? colors.up : colors.down} />
      </svg>
      {children ?? (long ? 'Long' : 'Short')}
    </Row>
  )
}

/** Whose eyes a bot is for. */
export const VisibilityChip = ({ visibility }: { visibility: Bot['visibility'] }) =>
  visibility === 'public' ? (
    <Chip label="Public" tone="outline" icon={<Globe />} />
  ) : (
    <Chip label="Private" tone="outline" icon={<Lock />} />
  )

/** Virtual money in a quiet outline; real money filled with amber, so that the two are never taken for each other. */
export const MoneyChip = ({ isVirtual }: { isVirtual: boolean }) =>
  isVirtual ? (
    <Chip
      tone="outline"
      label={
        <>
          <span style={{ fontFamily: '"Noto Emoji"' }}>🎮</span> VIRTUAL
        </>
      }
    />
  ) : (
    <Chip label="Real money" tone="alarm" icon={<CircleAlert />} />
  )

export const ReadOnlyChip = () => <Chip label="Read Only" tone="outline" icon={<Eye />} />
