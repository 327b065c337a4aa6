import { register } from '@shapecast/contracts/auth'
import { backtestRuns } from '@shapecast/contracts/backtest'
import { bots } from '@shapecast/contracts/bots'
import { mlHealth } from '@shapecast/contracts/ml'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { FakeServer } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { sampleBot } from '../../testing/sample-bot.ts'
import { sampleRun } from '../../testing/sample-run.ts'

// A canvas draws nothing here.
vi.mock('#charts/price-chart/create-price-chart.ts', () => ({
  createPriceChart: () => ({
    show: () => undefined,
    relabel: () => undefined,
    draw: () => undefined,
    picture: () => undefined,
    reset: () => undefined,
    moved: () => null,
    remove: () => undefined,
  }),
}))
beforeEach(() => window.localStorage.clear())

/** The list of bots is answered with what `reply` is called with. */
function holdBots(server: FakeServer) {
  const { promise, resolve: reply } = Promise.withResolvers<ReturnType<typeof sampleBot>[]>()
  server.on(bots, () => promise)
  return reply
}
const figures = async () => within(await screen.findByRole('region', { name: 'Status' })).findByText('67,412.3')
const welcome = () => screen.queryByText('Welcome, mira')
const isBeforeStatus = () => {
  const status = screen.getByRole('region', { name: 'Status' })
  return (welcome()!.compareDocumentPosition(status) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

it('comes at the end, where nothing moves, stands at the top from then on, and goes when it is hidden', async () => {
  const server = emptyInstallation()
  const reply = holdBots(server)
  const first = await openApp(server, '/dashboard')
  await figures()
  await screen.findByText('No backtests found')
  expect(welcome()).toBeNull()
  await act(async () => reply([]))
  await screen.findByText('Welcome, mira')
  expect(isBeforeStatus()).toBe(false)
  first.unmount()
  holdBots(server)
  await openApp(server, '/dashboard')
  await screen.findByRole('region', { name: 'Status' })
  expect(isBeforeStatus()).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  await waitFor(() => expect(welcome()).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: /Account of mira/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'First steps' }))
  await screen.findByText('Welcome, mira')
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  fireEvent.click(screen.getByLabelText('Open the menu'))
  fireEvent.click(await screen.findByRole('link', { name: 'First steps' }))
  await screen.findByText('Welcome, mira')
})

it('is never drawn for somebody who has taken every step', async () => {
  const server = emptyInstallation()
  server.on(mlHealth, () => ({ healthy: true, stats: { accuracy: 0.53, interval: null, baseline: null } }))
  server.on(backtestRuns, () => [sampleRun()])
  const reply = holdBots(server)
  await openApp(server, '/dashboard')
  await screen.findByText('Active')
  await screen.findByRole('list', { name: 'Recent Backtests' })
  expect(welcome()).toBeNull()
  await act(async () => reply([sampleBot({ name: 'Northwind', visibility: 'public' })]))
  await within(screen.getByRole('region', { name: 'Public Bots' })).findByText('Northwind')
  expect(welcome()).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /Account of mira/ }))
  await screen.findByRole('menuitem', { name: 'Glossary' })
  expect(screen.queryByRole('menuitem', { name: 'First steps' })).toBeNull()
})

it('stands there from the start for somebody who has just registered', async () => {
  const server = emptyInstallation()
  server.on(register, () => ({ accessToken: 'a token', user: MIRA }))
  holdBots(server)
  await openApp(server, '/register', { signedIn: false })
  for (const [label, value] of [
    ['Username', 'mira'],
    ['Email', 'mira@example.org'],
    ['Password', 'a secret'],
    ['Confirm password', 'a secret'],
  ] as const)
    fireEvent.change(await screen.findByLabelText(label), { target: { value } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  await figures()
  expect(welcome()).not.toBeNull()
})

it('recommends a start to somebody without a bot, one press away, with what it did and did not do', async () => {
  const server = emptyInstallation()
  server.on(bots, () => [])
  await openApp(server, '/dashboard')
  const card = within(await screen.findByRole('region', { name: 'Welcome, mira' }))
  card.getByText(/worst fall −14\.8%\. Holding both: \+209\.82%, worst fall −42\.6%/)
  const press = card.getByRole('link', { name: 'Use these' })
  expect(press.getAttribute('href')).toBe('/trading?create=recommended')
})
