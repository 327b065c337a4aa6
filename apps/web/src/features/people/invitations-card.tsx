import { Box, Button } from '@mui/material'
import { invitations, users, withdrawInvitation } from '@shapecast/contracts/users'
import { useEndpointChange, useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { formatDate } from '../../shared/format/time.ts'
import { Awaited } from '../../shared/ui/awaited.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { Card } from '../../shared/ui/card.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { FailureBanner } from '../../shared/ui/failed-change.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'
import { SettingRow } from '../../shared/ui/setting-row.tsx'

/** Invitations that nobody has taken up yet. */
export function InvitationsCard() {
  const reply = useEndpointQuery(invitations, {})
  const withdraw = useEndpointChange(withdrawInvitation, [invitations, users])
  const open = reply.data?.invitations
  return (
    <Card title="Invitations" facts={open?.length} flush>
      {withdraw.isError && (
        <Box sx={{ p: 2 }}>
          <FailureBanner error={withdraw.error} text="The invitation was not withdrawn." />
        </Box>
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
