import { Box, Button, Link, OutlinedInput, Typography } from '@mui/material'
import { ROLES, type Role } from '@shapecast/contracts/auth'
import {
  changeUser,
  endSessionsOf,
  invitations,
  invite,
  type ManagedUser,
  makeResetCode,
  users,
} from '@shapecast/contracts/users'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink, useNavigate } from 'react-router'
import { formatCount } from '#kit/format/number.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { CopyButton } from '#kit/ui/copy-button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { call } from '#wire/calls/client.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { PolicyCard } from './policy-card.tsx'
import { ROLE_LABELS, type UserAction, UsersTable } from './users-table.tsx'

const A_PAGE = 50

/** What ends somebody's work is asked once. */
const QUESTIONS = {
  disable: {
    title: (name: string) => `Disable ${name}?`,
    text: 'The account cannot be used until an admin enables it again, and every session of it ends now. Its bots go on.',
    label: 'Disable account',
  },
  sessions: {
    title: (name: string) => `End all sessions of ${name}?`,
    text: 'Every browser and program that is signed in has to sign in again.',
    label: 'End all sessions',
  },
} as const

/** Every account with its role, and who may come in. For admins. */
export function UsersPage() {
  const queryClient = useQueryClient()
  const me = useUser()
  const [search, setSearch] = useState('')
  const [role, setRole] = useState<Role | 'all'>('all')
  const [page, setPage] = useState(1)
  const [isInviting, setIsInviting] = useState(false)
  const [shown, setShown] = useState<{ title: string; code: string; text: string } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [asked, setAsked] = useState<{ user: ManagedUser; action: keyof typeof QUESTIONS } | null>(null)
  const navigate = useNavigate()
  const query = { search, page, limit: A_PAGE, ...(role !== 'all' && { role }) }
  const reply = useEndpointQuery(users, { query }, { placeholderData: (old) => old })

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setError(null)
    try {
      await work()
    } catch (cause) {
      setError(cause)
    }
    await queryClient.invalidateQueries({ queryKey: endpointKey(users) })
  }
  async function act(user: ManagedUser, action: UserAction): Promise<void> {
    const params = { id: user.id }
    switch (action) {
      case 'reset': {
        const { code, expiresAt } = await call(makeResetCode, { params })
        const text = `${user.username} sets a new password with it at ${window.location.origin}/reset, once, until ${formatDateTime(expiresAt)}.`
        return setShown({ title: `Reset code for ${user.username}`, code, text })
      }
      case 'sessions':
      case 'disable':
        return setAsked({ user, action })
      case 'audit':
        return void (await navigate(`/settings/audit?subject=${user.id}`))
      case 'enable':
        return void (await call(changeUser, { params, body: { disabled: false } }))
      default:
        return action satisfies never
    }
  }

  const data = reply.data
  return (
    <Box sx={{ display: 'grid', gap: { xs: 1.5, md: 2 }, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {error !== null && <FailureBanner error={error} text="It could not be done" onDismiss={() => setError(null)} />}
      <Card
        title="Users"
        facts={data && `${formatCount(data.active)} active, ${data.invited} invited, ${data.disabled} disabled`}
        flush
        actions={
          <>
            <OutlinedInput
              size="small"
              value={search}
              placeholder="Name or email"
              inputProps={{ 'aria-label': 'Name or email' }}
              onChange={(event) => {
                setSearch(event.target.value)
                setPage(1)
              }}
              sx={{ width: { xs: '100%', sm: 200 } }}
            />
            <ToggleGroup
              label="Role"
              size="small"
              value={role}
              onChange={(next: Role | 'all') => {
                setRole(next)
                setPage(1)
              }}
              choices={[
                { value: 'all', label: 'All' },
                ...ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })),
              ]}
            />
            <Button variant="contained" startIcon={<Plus />} onClick={() => setIsInviting(true)}>
              Invite
            </Button>
          </>
        }
      >
        <Awaited reply={reply} title="The users could not be loaded" inset>
          <ListSkeleton label="Loading the users" rowHeightPx={36} rows={4} />
        </Awaited>
        {data !== undefined && (
          <UsersTable
            users={data.users}
            me={me?.id}
            onRole={(user, role) => void attempt(() => call(changeUser, { params: { id: user.id }, body: { role } }))}
            onAction={(user, action) => void attempt(() => act(user, action))}
          />
        )}
        {data !== undefined && data.total > A_PAGE && (
          <Box sx={{ display: 'flex', gap: 1, p: 1 }}>
            <Button variant="text" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
              Back
            </Button>
            <Button
              variant="text"
              size="small"
              disabled={page * A_PAGE >= data.total}
              onClick={() => setPage(page + 1)}
            >
              Next
            </Button>
          </Box>
        )}
      </Card>
      <InvitationsCard />
      <PolicyCard />
      <Typography variant="small" sx={{ color: colors.text2 }}>
        Your own role is locked: the last Admin cannot lose it. Every change here is written to{' '}
        <Link component={RouterLink} to="/settings/audit">
          Audit
        </Link>
        .
      </Typography>
      {isInviting && (
        <AskDialog
          title="Invite somebody"
          text="The invitation is a link for one email address, good for 7 days."
          fields={[{ name: 'email', label: 'Email', kind: 'email' }]}
          confirmLabel="Invite"
          onClose={() => setIsInviting(false)}
          onConfirm={async ({ email = '' }) => {
            const { code, invitation } = await call(invite, { body: { email } })
            const link = `${window.location.origin}/register#invitation=${code}`
            setShown({ title: 'The invitation', code: link, text: `For ${invitation.email}. It is not shown again.` })
            await Promise.all(
              [users, invitations].map((one) => queryClient.invalidateQueries({ queryKey: endpointKey(one) })),
            )
          }}
        />
      )}
      {asked !== null && (
        <AskDialog
          title={QUESTIONS[asked.action].title(asked.user.username)}
          text={QUESTIONS[asked.action].text}
          fields={[]}
          confirmLabel={QUESTIONS[asked.action].label}
          tone="danger"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const params = { id: asked.user.id }
            if (asked.action === 'disable') await call(changeUser, { params, body: { disabled: true } })
            else await call(endSessionsOf, { params })
            await queryClient.invalidateQueries({ queryKey: endpointKey(users) })
          }}
        />
      )}
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
          <Typography component="code" sx={{ display: 'block', mb: 1.5, overflowWrap: 'anywhere' }}>
            {shown.code}
          </Typography>
          <Typography variant="small">{shown.text}</Typography>
        </Dialog>
      )}
    </Box>
  )
}
