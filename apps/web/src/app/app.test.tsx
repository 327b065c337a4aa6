// @vitest-environment happy-dom
import { profile } from '@shapecast/contracts/auth'
import { firstModel } from '@shapecast/contracts/first-model'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { TOKEN_KEY } from '../shared/auth/session-token.ts'
import { Refusal } from '../testing/fake-server.ts'
import { emptyInstallation, openApp, readAgain } from '../testing/render-app.tsx'

const path = () => window.location.pathname
const main = () => screen.getByRole('main')

describe('the routes', () => {
  it.each([
    ['/', false, '/'],
    ['/', true, '/dashboard'],
    ['/login', false, '/login'],
    ['/login', true, '/dashboard'],
    ['/register', true, '/dashboard'],
    ['/nowhere', true, '/dashboard'],
    ['/nowhere', false, '/dashboard'],
    ['/settings/nowhere', true, '/dashboard'],
    ['/Dashboard', true, '/dashboard'],
    ['/trading/', true, '/trading'],
  ])('lead from %s (signed in: %s) to %s', async (from, signedIn, to) => {
    await openApp(emptyInstallation(), from, { signedIn })
    await waitFor(() => expect(path()).toBe(to))
  })
})

describe('the frame', () => {
  it('keeps the dashboard mounted, and tells of a resize after every change of the route', async () => {
    await openApp(emptyInstallation(), '/dashboard')
    const dashboard = await screen.findByRole('heading', { name: 'Dashboard' })
    const onResize = vi.fn()
    window.addEventListener('resize', onResize)
    fireEvent.click(screen.getByRole('link', { name: 'Bots' }))
    await waitFor(() => expect(path()).toBe('/trading'))
    expect(onResize).toHaveBeenCalledTimes(1)
    expect(dashboard.isConnected).toBe(true)
    expect(dashboard.closest('[hidden]')).not.toBeNull()
    fireEvent.click(screen.getByRole('link', { name: 'Dash' }))
    await waitFor(() => expect(dashboard.closest('[hidden]')).toBeNull())
    expect(onResize).toHaveBeenCalledTimes(2)
    window.removeEventListener('resize', onResize)
  })

  it('turns off every button of a page when nobody is signed in, and leaves no link that looks like one', async () => {
    await openApp(emptyInstallation(), '/dashboard', { signedIn: false })
    await screen.findByText('You are signed out')
    const fieldset = main().querySelector('fieldset')
    expect(fieldset?.disabled).toBe(true)
    expect(fieldset?.querySelectorAll('a.MuiButton-root')).toHaveLength(0)
  })

  it('signs out on a 401 of any call', async () => {
    const server = emptyInstallation()
    await openApp(server, '/dashboard')
    await screen.findByText('mira')
    server.on(firstModel, () => {
      throw new Refusal(401, 'unauthorized', 'Sign in again.')
    })
    server.on(profile, () => {
      throw new Refusal(401, 'unauthorized', 'Sign in again.')
    })
    await readAgain()
    await screen.findByText('You are signed out')
    expect(window.localStorage.getItem(TOKEN_KEY)).toBeNull()
  })

  it('says once that the server does not answer, with the age of the figures', async () => {
    const server = emptyInstallation()
    await openApp(server, '/trading')
    await screen.findByText('Simulated market', { selector: '.MuiChip-label' })
    server.silence()
    await readAgain()
    expect(await screen.findByText('The server does not answer')).toBeTruthy()
    expect(screen.getByText(/^Figures as of \d\d:\d\d/)).toBeTruthy()
    server.silence(false)
    await readAgain()
    await waitFor(() => expect(screen.queryByText('The server does not answer')).toBeNull())
  })
})
