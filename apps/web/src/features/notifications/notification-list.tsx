import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { Notification, notifications } from '@shapecast/contracts/notifications'
import type { UseQueryResult } from '@tanstack/react-query'
import { Settings, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatCount } from '#kit/format/number.ts'
import { Button, busyButton, IconButton } from '#kit/ui/button.tsx'
import { EmptyLine } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { paths } from '#routes/paths.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { FillsRow } from './fills-row.tsx'
import { groupsOf, hourWords } from './notification-groups.ts'
import css from './notification-list.module.css'
import { NotificationRow } from './notification-row.tsx'
import { type NotificationView, useReadNotifications } from './use-notifications.ts'

export interface NotificationListProps {
  reply: UseQueryResult<ReplyOf<typeof notifications>, Error>
  view: NotificationView
  onView: (view: NotificationView) => void
  onClose: () => void
  /** Brings the older ones; nothing where all are in sight. */
  onMore?: () => void
}

const EMPTY: Readonly<Record<NotificationView, string>> = {
  all: 'Nothing yet. Fills, halts and errors come here.',
  unread: 'Nothing needs you. All is read.',
  fill: 'No fills yet.',
  model: 'No changes of models yet.',
}

/** What the person was told, by hour, the newest first. Opening one marks it as read. */
export function NotificationList({ reply, view, onView, onClose, onMore }: NotificationListProps) {
  const read = useReadNotifications()
  const unread = reply.data?.unread ?? 0
  const [nowMs] = useState(Date.now)
  const markRead = (some: readonly Notification[]) => {
    const ids = some.filter(({ isRead }) => !isRead).map(({ id }) => id)
    if (ids.length > 0) read.mutate({ body: { ids } })
  }
  const open = (one: Notification) => {
    markRead([one])
    if (one.link !== null) onClose()
  }
  return (
    <>
      <Row gap={1} className={css.head}>
        <Text size="h2">Notifications</Text>
        {unread > 0 && (
          <Text size="small" tone="text3">
            {unread} unread
          </Text>
        )}
        <Row gap={0.5} align="stretch" className={layout.end}>
          {unread > 0 && (
            <Button variant="text" size="small" {...busyButton(read.isPending, () => read.mutate({ body: {} }))}>
              Mark all read
            </Button>
          )}
          <IconButton size="small" aria-label="Close" onClick={onClose} className={css.close}>
            <X />
          </IconButton>
        </Row>
      </Row>
      <div className={css.views}>
        <ToggleGroup
          label="Which"
          size="small"
          fullWidth
          value={view}
          onChange={onView}
          choices={{
            all: 'All',
            unread: unread > 0 ? `Needs you ${formatCount(unread)}` : 'Needs you',
            fill: 'Fills',
            model: 'Models',
          }}
        />
      </div>
      <div style={{ flex: 1, overflowY: 'auto' }}>
        <FailureBanner error={read.error} text="They could not be marked as read." inset />
        <QueryBoundary reply={reply} of="the notifications" px={36} rows={4} inset />
        {reply.data?.notifications.length === 0 && <EmptyLine>{EMPTY[view]}</EmptyLine>}
        {groupsOf(reply.data?.notifications ?? []).map(({ hourMs, items }) => (
          <section key={items[0]![0].id} aria-label={hourWords(hourMs, nowMs)} className={css.hour}>
            <Text as="h3" size="label" tone="text3" className={css.hourHead}>
              {hourWords(hourMs, nowMs)}
            </Text>
            <ul className={layout.list}>
              {items.map((item) =>
                item.length === 1 ? (
                  <NotificationRow key={item[0].id} notification={item[0]} onOpen={() => open(item[0])} />
                ) : (
                  <FillsRow key={item[0].id} fills={item} onOpen={open} onRead={markRead} />
                ),
              )}
            </ul>
          </section>
        ))}
      </div>
      <Row gap={1} between className={css.foot}>
        {onMore === undefined ? (
          <span />
        ) : (
          <Button variant="text" size="small" onClick={onMore}>
            Show all
          </Button>
        )}
        <Text size="small" tone="text3" className={css.note}>
          Virtual fills are never unread
        </Text>
        <Button
          variant="text"
          size="small"
          as={Link}
          to={paths.notifications}
          startIcon={<Settings />}
          onClick={onClose}
        >
          What to tell me
        </Button>
      </Row>
    </>
  )
}
