import { ROLES, type Role } from '@shapecast/contracts/auth'
import { changeUser, type ManagedUser, makeResetCode, users } from '@shapecast/contracts/users'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink, useNavigate } from 'react-router'
import { formatCount } from '#kit/format/number.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { CopyButton } from '#kit/ui/copy-button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Row, Text } from '#kit/ui/primitives.tsx'
import { Input } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useAddressQuery, useAddressText } from '#kit/ui/use-address-query.ts'
import { paths } from '#routes/paths.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { InvitationsCard, InviteDialog } from './invitations-card.tsx'
import { PolicyCard } from './policy-card.tsx'
import css from './users-page.module.css'
import { EndDialog, type EndDialogProps, ROLE_LABELS, type UserAction, UsersTable } from './users-table.tsx'

const A_PAGE = 50

/** Every account with its role, and who may come in. What is searched for stands in the address. For admins. */
export function UsersPage() {
  const me = useUser()
  const [address, setAddress] = useAddressQuery()
  const [search, type] = useAddressText('search')
  const role = ROLES.find((one) => one === address.get('role')) ?? 'all'
  const page = Math.max(1, Math.trunc(Number(address.get('page'))) || 1)
  const [isInviting, setIsInviting] = useState(false)
  const [shown, setShown] = useState<{ title: string; code: string; text: string } | null>(null)
  const [asked, setAsked] = useState<Pick<EndDialogProps, 'user' | 'action'> | null>(null)
  const navigate = useNavigate()
  const query = { search, page, limit: A_PAGE, ...(role !== 'all' && { role }) }
  const reply = useEndpointQuery(users, { query }, { placeholderData: (old) => old })

  const change = useEndpointMutation(changeUser)
  const makeCode = useEndpointMutation(makeResetCode)
  const tried = makeCode.isError ? makeCode : change

  function act(user: ManagedUser, action: UserAction): void {
    const params = { id: user.id }
    for (const one of [change, makeCode]) one.reset()
    switch (action) {
      case 'reset':
        makeCode.mutate(
          { params },
          {
            onSuccess: ({ code, expiresAt }) => {
              const text = `${user.username} sets a new password with it at ${window.location.origin}/reset, once, until ${formatDateTime(expiresAt)}.`
              setShown({ title: `Reset code for ${user.username}`, code, text })
            },
          },
        )
        break
      case 'sessions':
      case 'disable':
        setAsked({ user, action })
        break
      case 'audit':
        void navigate(paths.auditOf(user.username))
        break
      case 'did':
        void navigate(paths.auditBy(user.id))
        break
      case 'enable':
        change.mutate({ params, body: { disabled: false } })
        break
      default:
        action satisfies never
    }
  }

  const data = reply.data
  return (
    <div className={layout.pageColumn}>
      <FailedChange change={tried} text="It could not be done" />
      <Card
        title="Users"
        facts={data && `${formatCount(data.active)} active, ${data.invited} invited, ${data.disabled} disabled`}
        flush
        actions={
          <>
            <Input
              value={search}
              placeholder="Name or email"
              aria-label="Name or email"
              onChange={(event) => type(event.target.value, { page: null })}
              className={css.search}
            />
            <ToggleGroup
              label="Role"
              size="small"
              value={role}
              onChange={(next: Role | 'all') => setAddress({ role: next === 'all' ? null : next, page: null })}
              choices={{ all: 'All', ...ROLE_LABELS }}
            />
            <Button variant="contained" startIcon={<Plus />} onClick={() => setIsInviting(true)}>
              Invite
            </Button>
          </>
        }
      >
        <QueryBoundary reply={reply} of="the users" px={36} rows={4} inset />
        {data !== undefined && (
          <UsersTable
            users={data.users}
            me={me?.id}
            onRole={(user, role) => {
              makeCode.reset()
              change.mutate({ params: { id: user.id }, body: { role } })
            }}
            onAction={act}
          />
        )}
        {data !== undefined && data.total > A_PAGE && (
          <Row gap={1} align="stretch" style={{ padding: 8 }}>
            <Button
              variant="text"
              size="small"
              disabled={page === 1}
              onClick={() => setAddress({ page: page === 2 ? null : String(page - 1) })}
            >
              Back
            </Button>
            <Button
              variant="text"
              size="small"
              disabled={page * A_PAGE >= data.total}
              onClick={() => setAddress({ page: String(page + 1) })}
            >
              Next
            </Button>
          </Row>
        )}
      </Card>
      <InvitationsCard />
      <PolicyCard />
      <Text size="small" tone="text2">
        Your own role is locked: the last Admin cannot lose it. Every change here is written to{' '}
        <Link as={RouterLink} to={paths.audit}>
          Audit
        </Link>
        .
      </Text>
      {isInviting && (
        <InviteDialog
          onClose={() => setIsInviting(false)}
          onInvited={({ code, invitation }) => {
            const link = `${window.location.origin}/register#invitation=${code}`
            setIsInviting(false)
            setShown({ title: 'The invitation', code: link, text: `For ${invitation.email}. It is not shown again.` })
          }}
        />
      )}
      {asked !== null && <EndDialog {...asked} onClose={() => setAsked(null)} />}
      {shown !== null && (
        <Dialog
          title={shown.title}
          onClose={() => setShown(null)}
          actions={
            <>
              <CopyButton variant="text" value={shown.code} />
              <Button variant="contained" onClick={() => setShown(null)}>
                Done
              </Button>
            </>
          }
        >
          <Text as="code" breaks style={{ display: 'block', marginBottom: 12 }}>
            {shown.code}
          </Text>
          <Text size="small">{shown.text}</Text>
        </Dialog>
      )}
    </div>
  )
}
