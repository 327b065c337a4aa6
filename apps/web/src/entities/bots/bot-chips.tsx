import '@fontsource/noto-emoji/400.css'
import type { Bot } from '@shapecast/contracts/bots'
import { CircleAlert, Eye, Globe, Lock } from 'lucide-react'
import { Chip } from '#kit/ui/chip.tsx'

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
