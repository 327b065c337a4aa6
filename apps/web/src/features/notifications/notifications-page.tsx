import { Box } from '@mui/material'
import { notificationSettings } from '@shapecast/contracts/notifications'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { Card } from '../../shared/ui/card.tsx'
import { FailureNote } from '../../shared/ui/failure-note.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'
import { formColumn } from '../../shared/ui/page-layout.ts'
import { ChoicesCard } from './choices-card.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { WebhookCard } from './webhook-card.tsx'

/** What a person is told of, by which ways, and what was sent. */
export function NotificationsPage() {
  const reply = useEndpointQuery(notificationSettings, {})
  return (
    <Box sx={formColumn}>
      {reply.data === undefined ? (
        <Card title="What to tell you" flush>
          {reply.isPending && <ListSkeleton label="Loading your choices" rowHeightPx={36} rows={7} />}
          <FailureNote reply={reply} title="Your choices could not be loaded" inset />
        </Card>
      ) : (
        <>
          <ChoicesCard choices={reply.data.choices} />
          <WebhookCard webhook={reply.data.webhook} />
          {reply.data.webhook !== null && <DeliveriesCard />}
        </>
      )}
    </Box>
  )
}
