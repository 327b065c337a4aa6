import { CHANNEL_NAMES, notificationSettings } from '@shapecast/contracts/notifications'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { ChoicesCard } from './choices-card.tsx'
import { CommandsCard } from './commands-card.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { QuietCard } from './quiet-card.tsx'

/** What a person is told of, by which ways, and what was sent. */
export function NotificationsPage() {
  const reply = useEndpointQuery(notificationSettings, {})
  return (
    <div className={layout.formColumn}>
      {reply.data === undefined ? (
        <Card title="What to tell you" flush>
          <QueryBoundary reply={reply} title="Your choices could not be loaded" inset>
            <ListSkeleton label="Loading your choices" rowHeightPx={36} rows={7} />
          </QueryBoundary>
        </Card>
      ) : (
        <>
          <ChannelsCard settings={reply.data} />
          <ChoicesCard choices={reply.data.choices} />
          {CHANNEL_NAMES.some((channel) => reply.data[channel] !== null) && <QuietCard quiet={reply.data.quiet} />}
          {reply.data.telegram !== null && <CommandsCard telegram={reply.data.telegram} />}
          {CHANNEL_NAMES.some((channel) => reply.data[channel] !== null) && <DeliveriesCard />}
        </>
      )}
    </div>
  )
}
