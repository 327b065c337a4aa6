// @vitest-environment happy-dom
import {
  changeNotificationSettings,
  type Delivery,
  deliveries,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationChoices,
  type NotificationSettings,
  notificationSettings,
  notifications,
  readNotifications,
  retryDelivery,
  setChannel,
} from '@shapecast/contracts/notifications'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { answerWords } from './deliveries-card.tsx'

const NOW = Date.UTC(2026, 10, 20, 14, 8)
const CHOICES = Object.fromEntries(
  NOTIFICATION_KINDS.map((kind) => [kind, { app: true, webhook: false }]),
) as NotificationChoices
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
    await within(panel).findByText(/9 Feb 2024, 12:05/)
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
    let settings: NotificationSettings = { choices: CHOICES, webhook: null }
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
    expect(bodies).toEqual([{ choices: { fill: { app: false, webhook: false }, error: { app: true, webhook: true } } }])
  })

  it('shows the secret of a new webhook once, and tries a message again', async () => {
    const server = emptyInstallation()
    let settings: NotificationSettings = { choices: CHOICES, webhook: null }
    let list = [delivery({})]
    server.on(notificationSettings, () => settings)
    server.on(deliveries, () => ({ deliveries: list }))
    server.on(setChannel, ({ body }) => {
      settings = { ...settings, webhook: { url: (body as { url: string }).url, isOn: true, secretEnd: '3b9e' } }
      return { settings, secret: 'whsec_0123b9e', answer: 401 }
    })
    server.on(retryDelivery, () => {
      list = [delivery({ state: 'delivered', tries: 3, answer: '204' })]
      return { ok: true as const }
    })
    await openApp(server, '/settings/notifications')
    const address = await screen.findByLabelText('Address')
    fireEvent.change(address, { target: { value: 'gopher://x' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
    await screen.findByText('Enter an http or https address')
    fireEvent.change(address, { target: { value: 'https://hooks.example.org/4f1c' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
    await screen.findByText('whsec_0123b9e')
    fireEvent.click(screen.getByRole('button', { name: 'I have kept it' }))
    await waitFor(() => expect(screen.queryByText('whsec_0123b9e')).toBeNull())
    await screen.findByText('It is saved, and answered the test with 401')
    await screen.findByText('503, 2 of 8 tries; next at 14:16 UTC')
    fireEvent.click(screen.getByRole('button', { name: 'Try Lattice Pairs now' }))
    await screen.findByText('204, at try 3')
  })

  it('says that a message was given up', () => {
    expect(answerWords(delivery({ state: 'failed', tries: 8, nextTryAt: null }))).toBe(
      '503, given up after 8 of 8 tries',
    )
  })
})
