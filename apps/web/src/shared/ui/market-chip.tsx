import { Tooltip } from '@mui/material'
import type { Health } from '@shapecast/contracts/market'
import { FlaskConical, History, Radio, Unplug } from 'lucide-react'
import { formatDateTime } from '../format/time.ts'
import { Chip } from './chip.tsx'
import { marketLabel } from './market-label.ts'

const ICONS = { simulated: <FlaskConical />, replay: <History />, live: <Radio /> } as const

/** Says on every screen what its prices are. `null` where the trading service does not answer. */
export function MarketChip({ health }: { health: Health | null }) {
  if (health === null)
    return (
      <Tooltip title="The trading service does not answer. Figures on the screen may be old.">
        <span>
          <Chip label="No connection" tone="down" icon={<Unplug />} />
        </span>
      </Tooltip>
    )
  const { text, detail, caution } = marketLabel(health)
  const clock =
    health.market === 'replay' && health.marketTime !== null ? ` It is ${formatDateTime(health.marketTime, 0)}.` : ''
  return (
    <Tooltip title={`${detail}${clock}`}>
      <span>
        <Chip label={text} tone={caution ? 'warn' : 'filled'} icon={ICONS[health.market]} />
      </span>
    </Tooltip>
  )
}
