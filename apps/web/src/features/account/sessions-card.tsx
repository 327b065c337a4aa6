import { endOtherSessions, endSession, ownSessions } from '@shapecast/contracts/own-account'
import { Monitor, Smartphone } from 'lucide-react'
import { browserName, isPhone } from '#entities/users/browser-name.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'

/** Where the account is signed in, and the way to end that. */
export function SessionsCard() {
  const reply = useEndpointQuery(ownSessions, {})
  const end = useEndpointMutation(endSession)
  const endOthers = useEndpointMutation(endOtherSessions)
  const sessions = reply.data?.sessions
  const error = end.error ?? endOthers.error
  return (
    <Card
      title="Sessions"
      facts={sessions?.length}
      flush
      actions={
        sessions !== undefined &&
        sessions.length > 1 && (
          <Button size="small" {...busyButton(endOthers.isPending, () => endOthers.mutate({}))}>
            {endOthers.isPending ? 'Ending…' : 'End all others'}
          </Button>
        )
      }
    >
      <QueryBoundary reply={reply} title="The sessions could not be loaded" inset>
        <ListSkeleton label="Loading the sessions" rowHeightPx={36} rows={2} />
      </QueryBoundary>
      {error !== null && (
        <div className={layout.inset}>
          <FailureBanner error={error} text="The session could not be ended." />
        </div>
      )}
      {sessions?.map((session) => {
        const name = browserName(session.userAgent)
        const isEnding = end.isPending && end.variables.params.id === session.id
        return (
          <SettingRow
            key={session.id}
            icon={isPhone(session.userAgent) ? <Smartphone size={18} /> : <Monitor size={18} />}
            title={
              session.isCurrent ? (
                <>
                  This browser <Chip label="current" tone="accent" />
                </>
              ) : (
                name
              )
            }
            action={
              session.isCurrent ? (
                'now'
              ) : (
                <>
                  <Ago ms={session.lastSeenAt} />
                  <Button
                    size="small"
                    aria-label={`End the session of ${name}`}
                    {...busyButton(isEnding, () => end.mutate({ params: { id: session.id } }))}
                  >
                    {isEnding ? 'Ending…' : 'End'}
                  </Button>
                </>
              )
            }
          >
            {[session.isCurrent && name, session.address ?? 'address not known'].filter(Boolean).join(' · ')}
          </SettingRow>
        )
      })}
    </Card>
  )
}
