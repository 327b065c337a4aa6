import { ROLES, type Role } from '@shapecast/contracts/auth'
import { changeUser, endSessionsOf, type ManagedUser } from '@shapecast/contracts/users'
import { History, KeyRound, Lock, LogOut, ScrollText, UserCheck, UserX } from 'lucide-react'
import { RoleChip } from '#entities/users/chips.tsx'
import { formatCount } from '#kit/format/number.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { DataTable } from '#kit/ui/data-table.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { Note, Row } from '#kit/ui/primitives.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

export const ROLE_LABELS: Readonly<Record<Role, string>> = { admin: 'Admin', bot_manager: 'Manager', user: 'User' }
const ACTIONS = [
  { value: 'reset', label: 'One-time reset code', icon: KeyRound },
  { value: 'sessions', label: 'End all sessions', icon: LogOut },
  { value: 'did', label: 'What they did', icon: History },
  { value: 'audit', label: 'What was done to them', icon: ScrollText },
  { value: 'enable', label: 'Enable account', icon: UserCheck },
  { value: 'disable', label: 'Disable account', icon: UserX, isDanger: true },
] as const
const STATES: Readonly<Record<ManagedUser['state'], string>> = {
  active: 'Active',
  leaving: 'Leaving',
  disabled: 'Disabled',
}
export type UserAction = (typeof ACTIONS)[number]['value']

interface UsersTableProps {
  users: readonly ManagedUser[]
  /** The id of the reader, whose own role is locked. */
  me: string | undefined
  onRole: (user: ManagedUser, role: Role) => void
  onAction: (user: ManagedUser, action: UserAction) => void
}

/** A row for each account: its role, when it was last seen, and what an admin may do with it. */
export const UsersTable = ({ users, me, onRole, onAction }: UsersTableProps) => (
  <DataTable
    label="Users"
    rows={users}
    rowKey={({ id }) => id}
    rowName={({ username }) => username}
    columns={[
      {
        head: 'User',
        keep: true,
        cell: (user) => (
          <div style={{ paddingBlock: 6, overflowWrap: 'anywhere', fontVariantNumeric: 'normal' }}>
            <span style={{ fontWeight: 500 }}>{user.username}</span> {user.id === me && <Quiet>you</Quiet>}
            <div>
              <Quiet>{user.email}</Quiet>
            </div>
          </div>
        ),
      },
      {
        head: 'Role',
        keep: true,
        cell: (user) => (
          <Row gap={1}>
            {user.id === me && <RoleChip role={user.role} />}
            {user.id === me ? (
              <Lock size={14} role="img" aria-label="Your own role is locked: another admin changes it" />
            ) : (
              <MenuSelect
                look="chip"
                label={`Role of ${user.username}`}
                value={user.role}
                choices={ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))}
                onChange={(role) => onRole(user, role)}
              />
            )}
          </Row>
        ),
      },
      { head: 'Two-factor', cell: (user) => (user.hasSecondFactor ? 'On' : 'Off') },
      { head: 'Sessions', figure: true, cell: (user) => formatCount(user.sessions) },
      {
        head: 'Last seen',
        quiet: true,
        cell: (user) => (user.lastSeenAt === null ? '—' : <Ago ms={user.lastSeenAt} />),
      },
      { head: 'State', cell: (user) => STATES[user.state] },
      {
        head: 'Actions',
        cell: (user) => (
          <MenuSelect<UserAction | ''>
            look="more"
            label={`Actions for ${user.username}`}
            value=""
            choices={[...ACTIONS.filter(({ value }) => value !== (user.state === 'disabled' ? 'disable' : 'enable'))]}
            onChange={(action) => action !== '' && onAction(user, action)}
          />
        ),
      },
    ]}
  />
)

const Quiet = ({ children }: { children: string }) => (
  <Note as="span" tone="text2">
    {children}
  </Note>
)

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

export interface EndDialogProps {
  user: ManagedUser
  action: keyof typeof QUESTIONS
  onClose: () => void
}

/** What ends somebody's work is asked once. */
export function EndDialog({ user, action, onClose }: EndDialogProps) {
  const params = { id: user.id }
  const disable = useEndpointMutation(changeUser, { onSuccess: onClose })
  const endSessions = useEndpointMutation(endSessionsOf, { onSuccess: onClose })
  const { isPending, error } = action === 'disable' ? disable : endSessions
  const { title, text, label } = QUESTIONS[action]
  return (
    <ConfirmDialog
      title={title(user.username)}
      text={text}
      confirmLabel={label}
      busy={isPending}
      error={error === null ? undefined : errorInFull(error, 'It could not be done.')}
      onConfirm={() =>
        action === 'disable' ? disable.mutate({ params, body: { disabled: true } }) : endSessions.mutate({ params })
      }
      onClose={onClose}
    />
  )
}
