import { login, logout, profile, type User } from '@shapecast/contracts/auth'
import { activeDataset, datasets } from '@shapecast/contracts/datasets'
import { driftStates } from '@shapecast/contracts/drift'
import { firstModel } from '@shapecast/contracts/first-model'
import { indicators } from '@shapecast/contracts/indicators'
import { trainingJobs } from '@shapecast/contracts/trainings'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { painted } from '#kit/theme/scheme.ts'
import { colors } from '#kit/theme/tokens.ts'
import { TOKEN_KEY, UNAUTHORIZED_EVENT } from '#wire/session/session-token.ts'
import { drawnStyle } from '../testing/drawn-style.ts'
import { Refusal } from '../testing/fake-server.ts'
import '../testing/tokens.ts'
import { emptyInstallation, MIRA, openApp, readAgain } from '../testing/render-app.tsx'

const path = () => window.location.pathname
/** Roles of what can be pressed. */
const IMITATED = ['button', 'combobox', 'switch', 'checkbox', 'radio', 'tab'].map((role) => `[role=${role}]`).join(', ')
const main = () => screen.getByRole('main')

describe('the routes', () => {
  it.each([
    ['/', false, '/'],
    ['/', true, '/dashboard'],
    ['/login', false, '/login'],
    ['/login', true, '/dashboard'],
    ['/register', false, '/register'],
    ['/register', true, '/dashboard'],
    ['/nowhere', true, '/dashboard'],
    ['/nowhere', false, '/dashboard'],
    ['/settings/nowhere', true, '/dashboard'],
    ['/Dashboard', true, '/dashboard'],
    ['/trading/', true, '/trading'],
    ['/ml-analysis', true, '/ml-analysis'],
    ['/backtest', true, '/backtest'],
    ['/settings', false, '/settings'],
  ])('lead from %s (signed in: %s) to %s', async (from, signedIn, to) => {
    await openApp(emptyInstallation(), from, { signedIn })
    await waitFor(() => expect(path()).toBe(to))
  })
})

it('each entry of the bar leads to its page, from every other one', async () => {
  const server = emptyInstallation()
  for (const endpoint of [trainingJobs, datasets, driftStates]) server.on(endpoint, () => [])
  server.on(activeDataset, () => null)
  server.on(indicators, () => {
    throw new Refusal(422, 'too_few_candles', 'There are 0 candles.')
  })
  await openApp(server, '/trading')
  for (const [entry, heading] of [
    ['Lern', 'Data Center'],
    ['Settings', 'Settings'],
    ['Bots', 'Bots'],
    ['Dash', 'Dashboard'],
    ['Lern', 'Data Center'],
    ['Test', 'Backtest'],
    ['Settings', 'Settings'],
    ['Lern', 'Data Center'],
    ['Bots', 'Bots'],
  ] as const) {
    fireEvent.click(await screen.findByRole('link', { name: entry }))
    await screen.findByRole('heading', { level: 1, name: heading })
  }
})

describe('the landing page', () => {
  it('says the name and what it is, and has one Login button', async () => {
    await openApp(emptyInstallation(), '/', { signedIn: false })
    await screen.findByRole('heading', { level: 1, name: 'Shapecast' })
    screen.getByText('Platform for creating and testing predictions')
    expect(main().querySelector('canvas')).not.toBeNull()
    expect(document.documentElement.dataset.theme).toBe('dark')
    fireEvent.click(screen.getByRole('link', { name: 'Login' }))
    await waitFor(() => expect(path()).toBe('/login'))
  })
})

describe('the navigation bar', () => {
  const roleOf = async (role: User['role']) => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role } }))
    const { unmount } = await openApp(server, '/settings')
    const chip = (await screen.findByRole('button', { name: /^Account of mira/ })).querySelector('[data-chip=root]')!
    const look = [chip.textContent, drawnStyle(chip).color, chip.querySelector('svg') !== null]
    unmount()
    return look
  }

  it('has a role for everybody: Admin red with an icon, Manager orange, User plain', async () => {
    expect(await roleOf('admin')).toEqual(['Admin', painted(colors.down), true])
    expect(await roleOf('bot_manager')).toEqual(['Manager', painted(colors.orange), false])
    expect(await roleOf('user')).toEqual(['User', painted(colors.text2), false])
  })

  it('leads from its account icon to Sign Up where nobody is signed in', async () => {
    await openApp(emptyInstallation(), '/dashboard', { signedIn: false })
    fireEvent.click(await screen.findByRole('link', { name: 'Create an account' }))
    await waitFor(() => expect(path()).toBe('/register'))
  })

  it('has a menu with name, email, role and Log Out, which lands on Sign In even where the call fails', async () => {
    const server = emptyInstallation()
    server.on(logout, () => {
      throw new Refusal(500, 'internal', 'Something went wrong on our side.')
    })
    await openApp(server, '/settings')
    fireEvent.click(await screen.findByRole('button', { name: /^Account of mira/ }))
    const menu = await screen.findByRole('menu')
    expect(menu.parentElement?.textContent).toMatch(/^miraManagermira@example\.org/)
    fireEvent.click(within(menu).getByRole('menuitem', { name: 'Log Out' }))
    await waitFor(() => expect(path()).toBe('/login'))
    expect(window.localStorage.getItem(TOKEN_KEY)).toBeNull()
  })

  it('has its entries in a drawer for narrow screens, and Settings as an icon for wide ones', async () => {
    await openApp(emptyInstallation(), '/dashboard')
    const settings = await screen.findByRole('link', { name: 'Settings' })
    expect([settings.getAttribute('href'), settings.textContent]).toEqual(['/settings', ''])
    fireEvent.click(screen.getByLabelText('Open the menu'))
    const drawer = await screen.findByLabelText('Menu')
    expect(
      within(drawer)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Dash', 'Bots', 'Lern', 'Test', 'Settings', 'Trade by hand', 'Glossary'])
    within(drawer).getByRole('button', { name: 'Light theme' })
  })
})

describe('the frame', () => {
  it.each([
    ['Dash', '/dashboard', 'Dashboard'],
    ['Test', '/backtest', 'Backtest'],
  ])('keeps %s mounted, and tells of a resize after every change of the route', async (label, from, heading) => {
    await openApp(emptyInstallation(), from)
    const kept = await screen.findByRole('heading', { name: heading, level: 1 })
    const onResize = vi.fn()
    window.addEventListener('resize', onResize)
    fireEvent.click(screen.getByRole('link', { name: 'Bots' }))
    await waitFor(() => expect(path()).toBe('/trading'))
    await waitFor(() => expect(onResize).toHaveBeenCalled())
    expect(kept.isConnected).toBe(true)
    const isSeen = () => screen.queryByRole('heading', { name: heading, level: 1 }) === kept
    await waitFor(() => expect(isSeen()).toBe(false))
    onResize.mockClear()
    fireEvent.click(screen.getByRole('link', { name: label }))
    await waitFor(() => expect(isSeen()).toBe(true))
    await waitFor(() => expect(onResize).toHaveBeenCalled())
    window.removeEventListener('resize', onResize)
  })

  it('a kept page goes on with its address while it is hidden, and comes back to it', async () => {
    await openApp(emptyInstallation(), '/dashboard?timeframe=4h')
    await screen.findByRole('button', { name: '4h' })
    fireEvent.click(screen.getByRole('link', { name: 'Bots' }))
    await screen.findByRole('heading', { name: 'Bots', level: 1 })
    await readAgain()
    screen.getByRole('button', { name: '4h', hidden: true })
    fireEvent.click(screen.getByRole('link', { name: 'Dash' }))
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 })
    expect(path() + window.location.search).toBe('/dashboard?timeframe=4h')
    screen.getByRole('button', { name: '4h' })
  })

  it.each(['/dashboard', '/trading', '/ml-analysis', '/backtest', '/settings'])(
    'turns off every button of %s when nobody is signed in, and leaves no link that looks like one',
    async (page) => {
      await openApp(emptyInstallation(), page, { signedIn: false })
      await screen.findByText('You are signed out')
      await waitFor(() => expect(main().querySelectorAll('fieldset button').length).toBeGreaterThan(0))
      await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading the page' })).toBeNull())
      // A disabled fieldset turns off what is a button or a field by itself; what only looks like one has to say so.
      expect(main().querySelector('fieldset')?.disabled).toBe(true)
      const imitations = main().querySelectorAll(`fieldset :is(${IMITATED}):not(button, input, [aria-disabled="true"])`)
      expect([...imitations].map((one) => one.outerHTML)).toEqual([])
      expect(main().querySelectorAll('fieldset a[class*=control]')).toHaveLength(0)
    },
  )

  it('leads from a page seen signed out to Sign In, and back to that page', async () => {
    const server = emptyInstallation()
    server.on(login, () => ({ accessToken: 'a token', user: MIRA }))
    await openApp(server, '/ml-analysis/compare?versions=v3', { signedIn: false })
    fireEvent.click(await screen.findByRole('link', { name: 'Sign In' }))
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'mira@example.org' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a secret' } })
    fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    await waitFor(() => expect(path() + window.location.search).toBe('/ml-analysis/compare?versions=v3'))
  })

  it('signs out on a 401 of any call, and says so by an event', async () => {
    const server = emptyInstallation()
    const onUnauthorized = vi.fn()
    window.addEventListener(UNAUTHORIZED_EVENT, onUnauthorized)
    await openApp(server, '/dashboard')
    await screen.findByText('mira')
    server.on(firstModel, () => {
      throw new Refusal(401, 'unauthorized', 'Sign in again.')
    })
    server.on(profile, () => {
      throw new Refusal(401, 'unauthorized', 'Sign in again.')
    })
    await readAgain()
    await screen.findByText('Your session has ended. Sign in to go on where you were.')
    expect([path(), window.localStorage.getItem(TOKEN_KEY)]).toEqual(['/login', null])
    expect(onUnauthorized).toHaveBeenCalled()
    window.removeEventListener(UNAUTHORIZED_EVENT, onUnauthorized)
  })

  it('says once that the server does not answer, with the age of the figures', async () => {
    const server = emptyInstallation()
    await openApp(server, '/trading')
    await screen.findByText('Simulated market', { selector: '[data-chip=label]' })
    server.silence()
    await readAgain()
    await screen.findByText('The server does not answer')
    await screen.findByText(/^Figures as of \d\d:\d\d/)
    server.silence(false)
    await readAgain()
    await waitFor(() => expect(screen.queryByText('The server does not answer')).toBeNull())
  })
})
