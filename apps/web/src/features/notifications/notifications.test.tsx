import {
  type ConnectedChannel,
  changeNotificationSettings,
  type Delivery,
  deliveries,
  linkTelegram,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationChoices,
  type NotificationSettings,
  notificationSettings,
  notifications,
  readNotifications,
  retryDelivery,
  setWebhook,
  switchChannel,
  testChannel,
} from '@shapecast/contracts/notifications'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { answerWords } from './notification-kinds.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 8)
const NONE = { app: false, telegram: false, email: false, push: false, webhook: false }
const CHOICES = Object.fromEntries(
  NOTIFICATION_KINDS.map((kind) => [kind, { ...NONE, app: true, email: kind === 'security' }]),
) as NotificationChoices
const SETTINGS: NotificationSettings = {
  choices: CHOICES,
  quiet: null,
  telegram: null,
  email: null,
  push: null,
  webhook: null,
  outlets: { telegram: 'shapecast_bot', email: true, push: 'BPUBLIC' },
}
const connected = (change: Partial<ConnectedChannel>): ConnectedChannel => ({
  name: 'https://hooks.example.org/4f1c',
  isOn: true,
  since: NOW,
  secretEnd: '3b9e',
  takesCommands: false,
  last: null,
  ...change,
})
const told = (change: Partial<Notification>): Notification => ({
  id: '01890000-0000-7000-8000-0000000000d1',
  kind: 'error',
  title: 'Lattice Pairs: order refused',
  text: 'ADAUSDT is below its minimum.',
  link: '/trading',
  createdAt: NOW,
  bot: null,
  marketAt: null,
  isRead: false,
  ...change,
})
const delivery = (change: Partial<Delivery>): Delivery => ({
  id: '01890000-0000-7000-8000-0000000000e1',
  channel: 'webhook',
  kind: 'error',
  about: 'Lattice Pairs',
  state: 'waiting',
  tries: 2,
  answer: '503',
  tookMs: null,
  createdAt: NOW,
  nextTryAt: NOW + 8 * 60_000,
  ...change,
})

describe('the bell', () => {
  it('says of what happened in a replay when it was there', async () => {
    const server = emptyInstallation()
    const list = [told({ marketAt: Date.UTC(2024, 1, 9, 12, 5) })]
    server.on(notifications, () => ({ notifications: list, unread: 1, hasMore: false }))
    await openApp(server, '/settings')
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    expect((await within(panel).findByText('12:05')).title).toBe('9 Feb 2024, 12:05 UTC')
    within(panel).getByText('9 Feb 2024, 12:00')
    expect(panel.querySelector('time')).toBeNull()
  })

  it('tells how many are unread; opening one marks it, and leads where it belongs', async () => {
    const server = emptyInstallation()
    let list = [
      told({}),
      told({ id: '01890000-0000-7000-8000-0000000000d2', title: 'v3.3 is trained', kind: 'job', isRead: true }),
    ]
    const unread = () => list.filter(({ isRead }) => !isRead).length
    server.on(notifications, () => ({ notifications: list, unread: unread(), hasMore: false }))
    server.on(readNotifications, ({ body }) => {
      const { ids } = body as { ids?: string[] }
      list = list.map((one) => (ids === undefined || ids.includes(one.id) ? { ...one, isRead: true } : one))
      return { unread: unread() }
    })
    await openApp(server, '/settings')
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    await within(panel).findByText('v3.3 is trained')
    fireEvent.click(within(panel).getByRole('link', { name: /order refused\s*, unread/ }))
    await waitFor(() => expect(window.location.pathname).toBe('/trading'))
    await screen.findByRole('button', { name: 'Notifications' })
  })

  it('folds the fills of a bot under their hour, with what they earned together', async () => {
    const server = emptyInstallation()
    const fill = (n: number, netPnL: number, minute: number) =>
      told({
        id: `01890000-0000-7000-8000-00000000000${n}`,
        kind: 'fill',
        title: 'Signal 2× closed a short on BTCUSDT',
        text: `Bought back 0.02 BTC at 64,555.4${n}`,
        bot: { id: MIRA.id, name: 'Signal 2×', isVirtual: true, netPnL },
        createdAt: Date.UTC(2024, 2, 5, 16, minute),
        isRead: true,
      })
    const queries: string[] = []
    server.on(notifications, ({ query }) => {
      queries.push(String(query))
      return { notifications: [fill(1, 80.81, 50), fill(2, -42.28, 10)], unread: 0, hasMore: false }
    })
    await openApp(server, '/settings')
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    await within(panel).findByRole('region', { name: '5 Mar 2024, 16:00' })
    const fold = within(panel).getByRole('button', { name: /Signal 2×: 2 fills.*\+38\.53/ })
    expect(within(panel).queryByText(/Bought back/)).toBeNull()
    fireEvent.click(fold)
    const rows = within(panel).getAllByRole('link', { name: /Bought back/ })
    expect(rows.map((row) => row.textContent)).toEqual([
      '16:10Bought back 0.02 BTC at 64,555.42−42.28',
      '16:50Bought back 0.02 BTC at 64,555.41+80.81',
    ])
    fireEvent.click(within(panel).getByRole('button', { name: 'Needs you' }))
    await waitFor(() => expect(queries.at(-1)).toBe('unread=true&limit=20'))
  })

  it('is not there for nobody', async () => {
    const server = emptyInstallation()
    await openApp(server, '/settings', { signedIn: false })
    await screen.findByText('You are signed out')
    expect(screen.queryByRole('button', { name: /Notifications/ })).toBeNull()
    expect(server.calls.some((call) => call.includes('/api/notifications'))).toBe(false)
  })
})

describe('the Notifications section', () => {
  it('saves what was ticked, and never lets errors be switched off in the app', async () => {
    const server = emptyInstallation()
    const bodies: unknown[] = []
    let settings: NotificationSettings = SETTINGS
    server.on(notificationSettings, () => settings)
    server.on(changeNotificationSettings, ({ body }) => {
      bodies.push(body)
      settings = { ...settings, choices: { ...CHOICES, ...(body as { choices: NotificationChoices }).choices } }
      return settings
    })
    await openApp(server, '/settings/notifications')
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Errors: In app' })).disabled).toBe(true)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Fills: In app' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Errors: Webhook' }))
    screen.getByText('2 changes not saved yet')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByText(/not saved yet/)).toBeNull())
    expect(bodies).toEqual([{ choices: { fill: NONE, error: { ...NONE, app: true, webhook: true } } }])
  })

  it('shows the secret of a new webhook once, and tries a message again', async () => {
    const server = emptyInstallation()
    let settings = SETTINGS
    let list = [delivery({})]
    server.on(notificationSettings, () => settings)
    server.on(deliveries, () => ({ deliveries: list }))
    server.on(setWebhook, ({ body }) => {
      settings = { ...settings, webhook: connected({ name: (body as { url: string }).url }) }
      return { settings, secret: 'whsec_0123b9e', answer: { isTaken: false, words: '401' } }
    })
    server.on(retryDelivery, () => {
      list = [delivery({ state: 'delivered', tries: 3, answer: '204' })]
      return { ok: true as const }
    })
    await openApp(server, '/settings/notifications')
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Webhook' }))
    const address = await screen.findByLabelText('Address')
    fireEvent.change(address, { target: { value: 'gopher://x' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
    await screen.findByText('Enter an http or https address')
    fireEvent.change(address, { target: { value: 'https://hooks.example.org/4f1c' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
    await screen.findByText('whsec_0123b9e')
    await screen.findByText('It is saved, and answered the test with 401')
    fireEvent.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText('whsec_0123b9e')).toBeNull())
    await screen.findByText('503, 2 of 8 tries; next at 14:16 UTC')
    fireEvent.click(screen.getByRole('button', { name: 'Try Lattice Pairs now' }))
    await screen.findByText('204, at try 3')
  })

  it('tests a channel with one press, and says in its place the result, and when it is tried again', async () => {
    const server = emptyInstallation()
    let settings: NotificationSettings = { ...SETTINGS, email: connected({ name: 'mira@example.org' }) }
    const failed = delivery({ channel: 'email', kind: 'test', tries: 1, answer: '550 5.1.1 no such user' })
    server.on(notificationSettings, () => settings)
    server.on(deliveries, () => ({ deliveries: [] }))
    server.on(testChannel, ({ params }) => {
      expect(params).toEqual({ channel: 'email' })
      settings = { ...settings, email: connected({ name: 'mira@example.org', last: failed }) }
      return { delivery: failed }
    })
    await openApp(server, '/settings/notifications')
    fireEvent.click(await screen.findByRole('button', { name: 'Test E-mail' }))
    await screen.findByText('550 5.1.1 no such user, 1 of 8 tries; next at 14:16 UTC')
    screen.getByText('waiting')
    screen.getByText('0 on, 1 waiting')
    server.on(retryDelivery, ({ params }) => {
      expect(params).toEqual({ id: failed.id })
      settings = {
        ...settings,
        email: connected({ name: 'mira@example.org', last: { ...failed, state: 'delivered' } }),
      }
      return { ok: true as const }
    })
    fireEvent.click(screen.getByRole('button', { name: 'Try E-mail now' }))
    await screen.findByRole('button', { name: 'Test E-mail' })
  })

  it('sets quiet hours by the clocks of the browser, and switches them off and on', async () => {
    const server = emptyInstallation()
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    let settings: NotificationSettings = { ...SETTINGS, telegram: connected({ name: '@mira_trades' }) }
    server.on(notificationSettings, () => settings)
    server.on(deliveries, () => ({ deliveries: [] }))
    server.on(changeNotificationSettings, ({ body }) => {
      settings = { ...settings, ...(body as object) }
      return settings
    })
    await openApp(server, '/settings/notifications')
    await screen.findByText(`Quiet from 22:00 to 07:00, ${timeZone}`)
    fireEvent.click(screen.getByRole('button', { name: 'Change quiet hours' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Quiet hours' }))
    fireEvent.change(dialog.getByLabelText('To'), { target: { value: '22:00' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await dialog.findByText(/must be another time/i)
    fireEvent.change(dialog.getByLabelText('To'), { target: { value: '06:30' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await screen.findByText(`Quiet from 22:00 to 06:30, ${timeZone}`)
    expect(settings.quiet).toEqual({ isOn: true, from: '22:00', to: '06:30', timeZone })
    fireEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }))
    await waitFor(() => expect(settings.quiet?.isOn).toBe(false))
  })

  it('says of what quiet hours hold back that it waits, and not that it fails', async () => {
    const held = delivery({ channel: 'telegram', kind: 'quiet', tries: 0, answer: null })
    expect(answerWords(held)).toBe('Waits for the end of your quiet hours, at 14:16 UTC')
    const server = emptyInstallation()
    server.on(notificationSettings, () => ({ ...SETTINGS, telegram: connected({ name: '@mira_trades', last: held }) }))
    server.on(deliveries, () => ({ deliveries: [held] }))
    await openApp(server, '/settings/notifications')
    await screen.findByText('1 on')
    screen.getByRole('button', { name: 'Test Telegram' })
  })

  it('shows with the code that connects Telegram what can be asked from there', async () => {
    const server = emptyInstallation()
    server.on(notificationSettings, () => SETTINGS)
    const link = {
      code: '4K7-2QM',
      expiresAt: NOW,
      bot: 'shapecast_bot',
      url: 'https://t.me/shapecast_bot?start=4K7-2QM',
    }
    server.on(linkTelegram, () => link)
    await openApp(server, '/settings/notifications')
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Telegram' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect Telegram' }))
    await dialog.findByText('4K7-2QM')
    dialog.getByText(/\/status and \/positions to look, \/pause, \/stop and \/kill to stop/)
  })

  it('allows commands from the chat that is connected, and says what a channel lacks', async () => {
    const server = emptyInstallation()
    const outlets = { ...SETTINGS.outlets, email: false }
    let settings: NotificationSettings = { ...SETTINGS, outlets, telegram: connected({ name: '@mira_trades' }) }
    server.on(notificationSettings, () => settings)
    server.on(deliveries, () => ({ deliveries: [] }))
    server.on(switchChannel, ({ params, body }) => {
      expect([params, body]).toEqual([{ channel: 'telegram' }, { takesCommands: true }])
      settings = { ...settings, telegram: connected({ name: '@mira_trades', takesCommands: true }) }
      return { settings }
    })
    await openApp(server, '/settings/notifications')
    const commands = await screen.findByRole<HTMLInputElement>('switch', { name: 'Take commands from @mira_trades' })
    fireEvent.click(commands)
    await waitFor(() => expect(commands.checked).toBe(true))
    screen.getByText(/An admin sets it up in Settings, Mail and Telegram/)
    screen.getByText(/This browser takes no notifications|over HTTPS only/)
    expect(screen.queryByRole('button', { name: 'Connect E-mail' })).toBeNull()
  })

  it('says that a message was given up', () => {
    expect(answerWords(delivery({ state: 'failed', tries: 8, nextTryAt: null }))).toBe(
      '503, given up after 8 of 8 tries',
    )
  })
})
