import type { BotStatus } from '@shapecast/contracts/bots'
import { CREDIBLE_ACCURACY } from '@shapecast/contracts/evaluation'
import type { ModelStage, Signal } from '@shapecast/contracts/ml'
import { ArrowDown, ArrowUp, CircleCheck, Minus } from 'lucide-react'
import type { z } from 'zod'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatioShort } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Chip, type ChipTone } from '#kit/ui/chip.tsx'

const SIGNALS = {
  BUY: { tone: 'up', icon: <ArrowUp /> },
  SELL: { tone: 'down', icon: <ArrowDown /> },
  HOLD: { tone: 'warn', icon: <Minus /> },
} as const satisfies Record<Signal, { tone: ChipTone; icon: unknown }>

/** BUY, SELL or HOLD with its arrow; quiet, without its colour, where following it is not worth the costs. */
export const SignalChip = ({ signal, isQuiet = false }: { signal: Signal; isQuiet?: boolean }) => (
  <Chip label={signal} {...SIGNALS[signal]} {...(isQuiet && { tone: 'outline' })} />
)

/** A change in percent with its sign: green, red, or neutral where it rounds to zero; `of` says of what. */
export function ChangeChip({ pct, of }: { pct: number | null; of?: string }) {
  const direction = directionOf(pct)
  return (
    <Chip
      label={of === undefined ? formatChangePct(pct) : `${of} ${formatChangePct(pct)}`}
      tone={direction === 'flat' ? 'filled' : direction}
    />
  )
}

const BOT_STATUS = {
  active: { label: 'Active', dot: colors.accent },
  paused: { label: 'Paused', dot: colors.warn },
  stopped: { label: 'Stopped', dot: colors.text3 },
  error: { label: 'Error', dot: colors.down },
} as const satisfies Record<z.infer<typeof BotStatus>, unknown>

/** A bot's state; `isPlain` beside its name. Running is blue, not green: running is not winning. */
export const BotStatusChip = ({ status, isPlain = false }: { status: keyof typeof BOT_STATUS; isPlain?: boolean }) => (
  <Chip {...BOT_STATUS[status]} {...(isPlain && { tone: 'plain' })} />
)

/** A model's stage; production is filled with a tick, the others are outlined. */
export const StageChip = ({ stage }: { stage: ModelStage }) =>
  stage === 'production' ? (
    <Chip label="production" icon={<CircleCheck />} />
  ) : (
    <Chip label={stage} tone={stage === 'archived' ? 'quiet' : 'outline'} />
  )

/** Marks the version that answers where none is named. */
export const CurrentChip = () => <Chip label="current" tone="accent" />

/** `acc 57%`. Its interval belongs near it. One that is too good to be true says so. */
export const AccuracyChip = ({ ratio }: { ratio: number }) =>
  ratio > CREDIBLE_ACCURACY ? (
    <Chip
      label={`acc ${formatShareRatioShort(ratio)}, not credible`}
      tone="warn"
      title="Nobody should believe it without a live record"
    />
  ) : (
    <Chip label={`acc ${formatShareRatioShort(ratio)}`} tone="outline" />
  )
