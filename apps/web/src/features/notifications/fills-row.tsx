import type { Notification } from '@shapecast/contracts/notifications'
import { ArrowLeftRight, ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useState } from 'react'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { formatPnl } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatHour } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { type GroupItem, happenedAt } from './notification-groups.ts'
import css from './notification-row.module.css'
import { Opener } from './notification-row.tsx'

const toneOf = (amount: number) => (amount > 0 ? 'up' : amount < 0 ? 'down' : 'text2')

const Profit = ({ amount }: { amount: number }) => (
  <Text as="span" size="small" tone={toneOf(amount)}>
    {formatPnl(amount)}
  </Text>
)

export interface FillsRowProps {
  /** Of one bot, the newest first. */
  fills: GroupItem
  onOpen: (one: Notification) => void
  onRead: (some: readonly Notification[]) => void
}

/** Fills of one bot, folded: how many and what they earned; unfolded each with its time, which marks them as read. */
export function FillsRow({ fills, onOpen, onRead }: FillsRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { name, isVirtual } = fills[0].bot!
  const profits = fills.flatMap(({ bot }) => bot?.netPnL ?? [])
  const unread = fills.filter(({ isRead }) => !isRead).length
  const [from, to] = [formatHour(happenedAt(fills.at(-1)!)), formatHour(happenedAt(fills[0]))]
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className={unread > 0 ? `${css.row} ${css.unread}` : css.row}
        onClick={() => {
          setOpen(!isOpen)
          if (!isOpen) onRead(fills)
        }}
      >
        <div className={layout.byWords} style={{ color: colors.text2 }}>
          <ArrowLeftRight size={16} aria-hidden />
        </div>
        <Row gap={1} align="baseline" className={layout.grow}>
          <Text as="span" breaks weight={500} className={layout.shrinks}>
            {name}: {formatCounted(fills.length, 'fill')} {!isVirtual && <MoneyChip isVirtual={false} />}
            {unread > 0 && <span className={layout.visuallyHidden}>, unread</span>}
          </Text>
          {profits.length > 0 && <Profit amount={profits.reduce((sum, one) => sum + one, 0)} />}
          <Text as="span" size="small" tone="text3" className={css.when}>
            {from === to ? from : `${from}–${to}`} <Chevron size={14} aria-hidden />
          </Text>
        </Row>
      </button>
      <ul id={id} hidden={!isOpen} className={css.fills}>
        {isOpen &&
          fills.toReversed().map((one) => (
            <li key={one.id}>
              <Opener link={one.link} className={css.fill!} onClick={() => onOpen(one)}>
                <Text as="span" size="small" tone="text3">
                  {formatHour(happenedAt(one))}
                </Text>
                <Text as="span" breaks size="small" className={layout.grow}>
                  {one.text}
                </Text>
                {one.bot?.netPnL != null && <Profit amount={one.bot.netPnL} />}
              </Opener>
            </li>
          ))}
      </ul>
    </li>
  )
}
