import type { Health } from '@shapecast/contracts/market'
import { FlaskConical, History, Radio, Unplug } from 'lucide-react'
import { formatDateTimeYear, useTimeZone } from '#kit/format/time.ts'
import { Chip } from '#kit/ui/chip.tsx'
import css from './market-chip.module.css'
import { marketLabel } from './market-label.ts'

const ICONS = { simulated: <FlaskConical />, replay: <History />, live: <Radio /> } as const

/** Says on every screen what its prices are. `null` where the trading service does not answer. */
export function MarketChip({ health }: { health: Health | null }) {
  useTimeZone()
  if (health === null)
    return (
      <Chip
        label="No connection"
        tone="down"
        icon={<Unplug />}
        title="The trading service does not answer. Figures on the screen may be old."
      />
    )
  const { text, detail, caution } = marketLabel(health)
  const time = replayTime(health)
  return (
    <Chip
      label={
        <>
          {text}
          {/* A phone's bar has room for the chip's word alone. */}
          {time !== null && <span className={css.time}> · {time}</span>}
        </>
      }
      tone={caution ? 'warn' : 'filled'}
      icon={ICONS[health.market]}
      title={time === null ? detail : `${text}, ${time}. ${detail}`}
    />
  )
}

/** Where a replay is in its history: `stands at 21 Apr 2024, 14:00 UTC`. */
function replayTime({ market, marketTime, marketSpeed }: Health): string | null {
  if (market !== 'replay' || marketTime === null) return null
  return `${marketSpeed === 0 ? 'stands at ' : ''}${formatDateTimeYear(marketTime)}`
}
