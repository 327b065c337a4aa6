import { Box, Button, Link, OutlinedInput, Switch, Typography } from '@mui/material'
import { ROLES, type Role } from '@shapecast/contracts/auth'
import {
  changePolicy,
  changeUser,
  endSessionsOf,
  invitations,
  invite,
  type ManagedUser,
  makeResetCode,
  policy,
  users,
} from '@shapecast/contracts/users'
import { useQueryClient } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink, useNavigate } from 'react-router'
import { call } from '../../shared/api/client.ts'
import { errorText } from '../../shared/api/error-text.ts'
import { endpointKey, useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { useUser } from '../../shared/auth/auth-context.ts'
import { formatCount } from '../../shared/format/number.ts'
import { formatDateTime } from '../../shared/format/time.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Ago } from '../../shared/ui/ago.tsx'
import { Awaited } from '../../shared/ui/awaited.tsx'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { Card } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'
import { MenuSelect } from '../../shared/ui/menu-select.tsx'
import { RoleChip } from '../../shared/ui/role-chip.tsx'
import { SettingRow } from '../../shared/ui/setting-row.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { InvitationsCard } from './invitations-card.tsx'

const ROLE_LABELS: Readonly<Record<Role, string>> = { admin: 'Admin', bot_manager: 'Manager', user: 'User' }
const A_PAGE = 50
const ACTIONS = [
  { value: 'reset', label: 'One-time reset code' },
  { value: 'sessions', label: 'End all sessions' },
  { value: 'audit', label: 'Show in audit' },
  { value: 'enable', label: 'Enable account' },
  { value: 'disable', label: 'Disable account' },
] as const
type UserAction = (typeof ACTIONS)[number]['value']

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
  const [error, setError] = useState<string | null>(null)
  const [asked, setAsked] = useState<{ user: ManagedUser; action: keyof typeof QUESTIONS } | null>(null)
  const navigate = useNavigate()
  const query = { search, page, limit: A_PAGE, ...(role !== 'all' && { role }) }
  const reply = useEndpointQuery(users, { query }, { placeholderData: (old) => old })

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setError(null)
    try {
      await work()
    } catch (cause) {
      setError(errorText(cause, 'It could not be done'))
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
      {error !== null && <Banner kind="error" title={error} onDismiss={() => setError(null)} />}
      <Card
        title="Users"
        facts={data && `${formatCount(data.active)} active, ${data.invited} invited, ${data.disabled} disabled`}
        flush
        actions={
          <>
            <OutlinedInput
              size="small"
              value={search}
              placeholder="Name or e-mail"
              inputProps={{ 'aria-label': 'Name or e-mail' }}
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
          <DataTable
            label="Users"
            rows={data.users}
            rowKey={({ id }) => id}
            rowName={({ username }) => username}
            columns={[
              {
                id: 'user',
                head: 'User',
                keep: true,
                cell: (user) => (
                  <>
                    {user.username} {user.id === me?.id && <Quiet>you</Quiet>}{' '}
                    <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                      <Quiet>{user.email}</Quiet>
                    </Box>
                  </>
                ),
              },
              {
                id: 'role',
                head: 'Role',
                keep: true,
                cell: (user) => (
                  <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                    {user.id === me?.id && <RoleChip role={user.role} />}
                    {user.id === me?.id ? (
                      <Lock size={14} role="img" aria-label="Your own role is locked: another admin changes it" />
                    ) : (
                      <MenuSelect
                        look="chip"
                        label={`Role of ${user.username}`}
                        value={user.role}
                        choices={ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))}
                        onChange={(next) =>
                          void attempt(() => call(changeUser, { params: { id: user.id }, body: { role: next } }))
                        }
                      />
                    )}
                  </Box>
                ),
              },
              { id: 'factor', head: 'Two-factor', cell: (user) => (user.hasSecondFactor ? 'On' : 'Off') },
              { id: 'sessions', head: 'Sessions', figure: true, cell: (user) => formatCount(user.sessions) },
              {
                id: 'seen',
                head: 'Last seen',
                quiet: true,
                cell: (user) => (user.lastSeenAt === null ? '—' : <Ago ms={user.lastSeenAt} />),
              },
              { id: 'state', head: 'State', cell: (user) => user.state },
              {
                id: 'actions',
                head: 'Actions',
                cell: (user) => (
                  <MenuSelect<UserAction | ''>
                    look="chip"
                    label={`Actions for ${user.username}`}
                    value=""
                    choices={[
                      ...ACTIONS.filter(({ value }) => value !== (user.state === 'disabled' ? 'disable' : 'enable')),
                    ]}
                    onChange={(action) => action !== '' && void attempt(() => act(user, action))}
                  />
                ),
              },
            ]}
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
      <WhoMayComeIn />
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
          text="The invitation is a link for one e-mail address, good for 7 days."
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
              <Button variant="text" onClick={() => void navigator.clipboard?.writeText(shown.code)}>
                Copy
              </Button>
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

const Quiet = ({ children }: { children: string }) => (
  <Typography component="span" variant="small" sx={{ color: colors.text2 }}>
    {children}
  </Typography>
)

function WhoMayComeIn() {
  const queryClient = useQueryClient()
  const reply = useEndpointQuery(policy, {})
  const [error, setError] = useState<string | null>(null)
  const current = reply.data?.policy
  async function change(body: Partial<NonNullable<typeof current>>): Promise<void> {
    setError(null)
    try {
      queryClient.setQueryData(endpointKey(policy, {}), await call(changePolicy, { body }))
    } catch (cause) {
      setError(errorText(cause, 'The setting could not be changed'))
    }
  }
  const toggle = (
    name: 'secondFactorForManagers' | 'confirmRealBots' | 'tasksRestricted' | 'privateWebhooks',
    label: string,
  ) => (
    <Switch
      checked={current?.[name] ?? false}
      slotProps={{ input: { 'aria-label': label } }}
      {...busyPress(current === undefined)}
      onChange={(_, isOn) => void change({ [name]: isOn })}
    />
  )
  return (
    <Card title="Who may come in" flush>
      <Awaited reply={reply} title="The settings could not be loaded" inset />
      {error !== null && <Banner kind="error" title={error} />}
      {current !== undefined && (
        <>
          <SettingRow
            title="Registration"
            action={
              <ToggleGroup
                label="Registration"
                size="small"
                value={current.registration}
                onChange={(registration) => void change({ registration })}
                choices={[
                  { value: 'open', label: 'Open' },
                  { value: 'invitation', label: 'Invitation' },
                  { value: 'closed', label: 'Closed' },
                ]}
              />
            }
          >
            By invitation: an invitation is a link for one e-mail address, good for 7 days.
          </SettingRow>
          <SettingRow
            title="Two-factor for Admin and Manager"
            action={toggle('secondFactorForManagers', 'Two-factor for Admin and Manager')}
          >
            Who has none yet is asked at the next sign-in.
          </SettingRow>
          <SettingRow
            title="Ask again before a real bot starts"
            action={toggle('confirmRealBots', 'Ask again before a real bot starts')}
          >
            Password or code, and the words ‘real money’.
          </SettingRow>
          <SettingRow
            title="Tasks are moved and deleted by their authors"
            action={toggle('tasksRestricted', 'Tasks are moved and deleted by their authors')}
          >
            And by Admin and Manager. Otherwise by anybody who is signed in.
          </SettingRow>
          <SettingRow
            title="Webhooks may reach this machine and private networks"
            action={toggle('privateWebhooks', 'Webhooks may reach this machine and private networks')}
          >
            Every user can then reach what this machine reaches.
          </SettingRow>
        </>
      )}
    </Card>
  )
}
