import { profile } from '@shapecast/contracts/auth'
import { notificationSettings, notifications, readNotifications } from '@shapecast/contracts/notifications'
import { confirmItIsMe, security as ownSecurity } from '@shapecast/contracts/own-account'
import { Policy } from '@shapecast/contracts/policy'
import {
  auditLog,
  changePolicy,
  changeUser,
  endSessionsOf,
  exportAudit,
  invitations,
  makeResetCode,
  policy,
  users,
  withdrawInvitation,
} from '@shapecast/contracts/users'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

vi.mock('#wire/calls/save-file.ts', () => ({ saveFile: () => undefined }))

const ADMIN = { ...MIRA, role: 'admin' as const }
const MANAGED = {
  ...ADMIN,
  state: 'active' as const,
  hasSecondFactor: false,
  sessions: 1,
  createdAt: 0,
  lastSeenAt: 0,
  deletesAt: null,
}

function asAdmin() {
  const server = emptyInstallation()
  server.on(profile, () => ({ user: ADMIN }))
  server.on(policy, () => ({ policy: Policy.parse({}) }))
  server.on(invitations, () => ({ invitations: [] }))
  server.on(users, () => ({ users: [MANAGED], total: 1, active: 1, disabled: 0, invited: 2 }))
  return server
}

const KEIKO = { ...MANAGED, id: MIRA.id.replace(/.$/, 'f'), username: 'keiko', role: 'user' as const }
function withKeiko() {
  const server = asAdmin()
  server.on(users, () => ({ users: [MANAGED, KEIKO], total: 2, active: 2, disabled: 0, invited: 2 }))
  return server
}
const choose = async (title: string, item: string) => {
  fireEvent.click(await screen.findByTitle(title))
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
}

it('shows users to admins, the own role locked, and says what the server refuses', async () => {
  const server = withKeiko()
  server.on(changeUser, () => {
    throw new Refusal(409, 'last_admin', 'keiko is the last admin. Make somebody else admin first.')
  })
  await openApp(server, '/settings/users')
  await screen.findByRole('table', { name: 'Users' })
  await screen.findByText('2 active, 2 invited, 0 disabled')
  await screen.findByRole('img', { name: /^Your own role is locked/ })
  expect(screen.queryByTitle('Role of mira')).toBeNull()
  await choose('Role of keiko', 'Manager')
  await screen.findByText('keiko is the last admin. Make somebody else admin first.')
})

it('finds users by what the address says, and begins with the first page again for another search', async () => {
  const server = asAdmin()
  const asked: string[] = []
  server.on(users, ({ query }) => {
    asked.push(['search', 'role', 'page'].map((name) => query.get(name) ?? '').join(' '))
    return { users: [MANAGED], total: 180, active: 180, disabled: 0, invited: 0 }
  })
  await openApp(server, '/settings/users?search=mi&role=admin&page=3')
  await screen.findByRole('table', { name: 'Users' })
  expect(asked).toEqual(['mi admin 3'])
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(window.location.search).toBe('?search=mi&role=admin&page=4'))
  await user.type(screen.getByRole('textbox', { name: 'Name or email' }), 'r')
  await waitFor(() => expect(window.location.search).toBe('?search=mir&role=admin'))
  expect(asked.at(-1)).toBe('mir admin 1')
})

it('asks for the password where a change takes fresh proof, and goes on with it', async () => {
  const server = withKeiko()
  const done: unknown[] = []
  let isProven = false
  const security = { passwordChangedAt: 0, secondFactor: { onSince: null, recoveryCodesLeft: 0, isRequired: false } }
  server.on(ownSecurity, () => security)
  server.on(confirmItIsMe, ({ body }) => {
    if ((body as { password: string }).password !== 'secret')
      throw new Refusal(400, 'bad_input', 'The password is wrong.')
    isProven = true
    return { until: 0 }
  })
  const prove = () => {
    if (!isProven) throw new Refusal(403, 'confirmation_required', 'Confirm first that it is you.')
  }
  server.on(changeUser, ({ body }) => {
    prove()
    done.push(body)
    return { user: KEIKO }
  })
  server.on(changePolicy, ({ body }) => {
    prove()
    done.push(body)
    return { policy: Policy.parse({ confirmRealBots: false }) }
  })
  server.on(makeResetCode, () => {
    prove()
    return { code: 'aaaa-bbbb', expiresAt: 0 }
  })
  const give = async (password: string) => {
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
    fireEvent.change(await dialog.findByLabelText('Your password'), { target: { value: password } })
    fireEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
    return dialog
  }
  await openApp(server, '/settings/users')
  await choose('Role of keiko', 'Manager')
  await (await give('wrong')).findByText('The password is wrong.')
  await give('secret')
  await waitFor(() => expect(done).toEqual([{ role: 'bot_manager' }]))
  isProven = false
  fireEvent.click(await screen.findByRole('switch', { name: 'Ask again before a real bot starts' }))
  await give('secret')
  await waitFor(() => expect(done[1]).toEqual({ confirmRealBots: false }))
  isProven = false
  await choose('Actions for keiko', 'One-time reset code')
  await give('secret')
  await screen.findByText('aaaa-bbbb')
  isProven = false
  await choose('Role of keiko', 'Manager')
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await screen.findByText('Confirm first that it is you.')
  expect(done).toHaveLength(2)
})

it('asks once before it disables an account or ends its sessions', async () => {
  const server = withKeiko()
  const done: unknown[] = []
  server.on(changeUser, ({ body }) => {
    done.push(body)
    return { user: KEIKO }
  })
  server.on(endSessionsOf, () => {
    done.push('ended')
    return { ok: true as const }
  })
  await openApp(server, '/settings/users')
  await choose('Actions for keiko', 'Disable account')
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  for (const [item, end] of [
    ['Disable account', { disabled: true }],
    ['End all sessions', 'ended'],
  ] as const) {
    await choose('Actions for keiko', item)
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: item }))
    await waitFor(() => expect(done.at(-1)).toEqual(end))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(done).toHaveLength(2)
})

it('leads from an account to what the audit says of it, in a menu with an icon before each entry', async () => {
  const server = withKeiko()
  server.on(auditLog, () => ({ hasMore: false, total: 0, entries: [] }))
  await openApp(server, '/settings/users')
  fireEvent.click(await screen.findByTitle('Actions for keiko'))
  const entries = await screen.findAllByRole('menuitem')
  expect(entries.map((entry) => entry.querySelectorAll('svg').length)).toEqual([1, 1, 1, 1, 1])
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await choose('Actions for keiko', 'What was done to them')
  await screen.findByText('Nothing fits these filters.')
  expect(window.location.search).toBe('?about=keiko')
  await openApp(server, '/settings/users')
  await screen.findByTitle('Actions for keiko')
  await choose('Actions for keiko', 'What they did')
  await screen.findByText('Nothing fits these filters.')
  expect(window.location.search).toBe(`?actor=${KEIKO.id}`)
})

it('lists the invitations that are open, and withdraws one', async () => {
  const server = asAdmin()
  const invitation = { id: MIRA.id, email: 'svea@example.org', invitedBy: null, createdAt: 0, expiresAt: 0 }
  let open = [invitation]
  server.on(invitations, () => ({ invitations: open }))
  server.on(withdrawInvitation, () => {
    open = []
    return { ok: true as const }
  })
  await openApp(server, '/settings/users')
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw the invitation of svea@example.org' }))
  await screen.findByText('No invitation is open.')
})

it('says below its field what is wrong with an address, and elsewhere what else went wrong', async () => {
  const server = asAdmin()
  await openApp(server, '/settings/users')
  fireEvent.click(await screen.findByRole('button', { name: 'Invite' }))
  const dialog = await screen.findByRole('dialog', { name: 'Invite somebody' })
  const field = within(dialog).getByLabelText('Email')
  const send = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Invite' }))
  const others = server.fetch
  const refuse = (body: object) => {
    window.fetch = async (...request) =>
      request[1]?.method === 'POST' ? Response.json(body, { status: 400 }) : others(...request)
  }
  send()
  await within(dialog).findByText('Enter an email address')
  fireEvent.change(field, { target: { value: 'svea@example.org' } })
  await waitFor(() => expect(within(dialog).queryByRole('alert')).toBeNull())
  refuse({ error: 'Somebody has this address.', code: 'bad_input', field: 'email' })
  send()
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(
    within(dialog)
      .getAllByRole('alert')
      .map((alert) => alert.textContent),
  ).toEqual(['Somebody has this address.'])
  refuse({ error: 'No.', code: 'forbidden' })
  send()
  await within(dialog).findByText('No.')
  expect(field.getAttribute('aria-invalid')).toBe('false')
})

it('asks the audit, and for its CSV, for what the address filters', async () => {
  const server = asAdmin()
  const [asked, saved]: [string[], string[]] = [[], []]
  server.on(auditLog, ({ query }) => {
    asked.push(query.toString())
    return { hasMore: false, total: 0, entries: [] }
  })
  await openApp(server, `/settings/audit?actor=${MIRA.id}`)
  await screen.findByText('Nothing fits these filters.')
  fireEvent.click(screen.getByRole('combobox', { name: 'What' }))
  fireEvent.click(await screen.findByRole('option', { name: 'Bots' }))
  await waitFor(() => expect(asked.at(-1)).toBe(`actor=${MIRA.id}&action=bot.`))
  fireEvent.change(screen.getByLabelText('About'), { target: { value: 'Ash' } })
  await waitFor(() => expect(asked.at(-1)).toBe(`actor=${MIRA.id}&action=bot.&about=Ash`))
  expect(window.location.search).toBe(`?actor=${MIRA.id}&action=bot.&about=Ash`)
  server.on(exportAudit, ({ query }) => {
    saved.push(query.toString())
    return ''
  })
  fireEvent.click(screen.getByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(saved).toEqual([`actor=${MIRA.id}&action=bot.&about=Ash`]))
})

it('shows the audit to admins and to nobody else', async () => {
  const server = asAdmin()
  server.on(auditLog, () => ({
    hasMore: true,
    total: 1284,
    entries: [
      {
        id: MIRA.id,
        at: 0,
        actor: { id: MIRA.id, username: 'mira' },
        address: '203.0.113.24',
        action: 'user.disabled',
        subject: { type: 'user', id: 'someone', name: 'keiko' },
        before: null,
        after: { x: '<img src=x onerror=alert(1)>' },
      },
      {
        id: KEIKO.id,
        at: -1,
        actor: null,
        address: null,
        action: 'order.filled',
        subject: { type: 'order', id: 'one', name: null },
        before: null,
        after: null,
      },
    ],
  }))
  await openApp(server, '/settings/audit')
  const audit = within(await screen.findByRole('region', { name: 'Entries' }))
  expect(audit.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['1 Jan 1970', '31 Dec 1969'])
  const [first, second] = audit.getAllByRole('listitem') as [HTMLElement, HTMLElement]
  expect(first.textContent).toContain('miradisabled the account of keiko')
  expect(second.textContent).toContain('System')
  within(first).getByText(/"action": "user.disabled"/)
  screen.getByText('2 of 1,284')
  expect(document.querySelector('img[src=x]')).toBeNull()
  await openApp(emptyInstallation(), '/settings/audit')
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
})

it('rings with what is unread, and reads it where it is opened', async () => {
  const server = emptyInstallation()
  const told = {
    kind: 'fill' as const,
    title: 'Ridge opened a long',
    text: 'At 66,494.3',
    link: '/trading',
    createdAt: 0,
    bot: null,
    marketAt: null,
  }
  server.on(notifications, () => ({
    notifications: [{ ...told, id: MIRA.id, isRead: false }],
    unread: 1,
    hasMore: false,
  }))
  server.on(readNotifications, ({ body }) => {
    expect(body).toEqual({ ids: [MIRA.id] })
    return { unread: 0 }
  })
  server.on(notificationSettings, () => {
    throw new Refusal(404, 'not_found', 'There is nothing here.')
  })
  await openApp(server, '/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  fireEvent.click(await screen.findByRole('link', { name: /Ridge opened a long/ }))
  await waitFor(() => expect(server.calls).toContain('POST /soc/api/notifications/read'))
  await waitFor(() => expect(window.location.pathname).toBe('/trading'))
})
