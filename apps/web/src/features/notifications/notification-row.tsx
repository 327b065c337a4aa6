import type { Notification } from '@shapecast/contracts/notifications'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { formatDateTimeYear, formatHour } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { KINDS } from './notification-kinds.ts'
import css from './notification-row.module.css'

const ICON_COLORS: Partial<Record<Notification['kind'], string>> = { error: colors.down, halt: colors.warn }

/** One notification: a link where there is something to open, else a button that marks it as read. */
export function NotificationRow({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { kind, title, text, link, createdAt, marketAt, isRead, bot } = notification
  const { icon: Icon } = KINDS[kind]
  return (
    <li>
      <Opener link={link} onClick={onOpen} className={isRead ? css.row : `${css.row} ${css.unread}`}>
        <div className={layout.byWords} style={{ color: ICON_COLORS[kind] ?? colors.text2 }}>
          <Icon size={16} aria-hidden />
        </div>
        <div className={layout.grow}>
          <Row gap={1} align="baseline">
            <Text as="span" breaks weight={500} className={layout.shrinks}>
              {title} {bot !== null && !bot.isVirtual && kind === 'fill' && <MoneyChip isVirtual={false} />}
              {!isRead && <span className={layout.visuallyHidden}>, unread</span>}
            </Text>
            {!isRead && <span aria-hidden className={css.dot} />}
            <Text
              as="span"
              size="small"
              tone={isRead ? 'text3' : 'text2'}
              className={css.when}
              {...(marketAt !== null && { title: formatDateTimeYear(marketAt) })}
            >
              {/* The day stands above it. */}
              {marketAt === null ? <Ago ms={createdAt} /> : formatHour(marketAt)}
            </Text>
          </Row>
          <Text as="span" breaks size="small" tone="text2" className={css.text}>
            {text}
          </Text>
        </div>
      </Opener>
    </li>
  )
}

export const Opener = ({
  link,
  ...rest
}: { link: string | null } & Pick<ComponentProps<'a'>, 'children' | 'className'> & {
    onClick: () => void
  }) => (link === null ? <button type="button" {...rest} /> : <Link to={link} {...rest} />)
