import { Button } from '@mui/material'
import { invitations, withdrawInvitation } from '@shapecast/contracts/users'
import { formatDate } from '#kit/format/time.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

/** Invitations that nobody has taken up yet. */
export function InvitationsCard() {
  const reply = useEndpointQuery(invitations, {})
  const withdraw = useEndpointMutation(withdrawInvitation)
  const open = reply.data?.invitations
  return (
    <Card title="Invitations" facts={open?.length} flush>
      {withdraw.isError && (
        <div className={layout.inset}>
          <FailureBanner error={withdraw.error} text="The invitation was not withdrawn." />
        </div>
      )}
      <Awaited reply={reply} title="The invitations could not be loaded" inset>
        <ListSkeleton label="Loading the invitations" rowHeightPx={28} rows={1} />
      </Awaited>
      {open?.length === 0 && <EmptyLine>No invitation is open.</EmptyLine>}
      {open?.map(({ id, email, invitedBy, expiresAt }) => (
        <SettingRow
          key={id}
          title={email}
          action={
            <Button
              size="small"
              aria-label={`Withdraw the invitation of ${email}`}
              {...busyPress(withdraw.isPending, () => withdraw.mutate({ params: { id } }))}
            >
              Withdraw
            </Button>
          }
        >
          {invitedBy !== null && `by ${invitedBy.username} · `}good until {formatDate(expiresAt)}
        </SettingRow>
      ))}
    </Card>
  )
}
