import { login, register } from '@shapecast/contracts/auth'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TOKEN_KEY } from '#wire/session/session-token.ts'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

afterEach(() => void vi.restoreAllMocks())

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const REPLY = { accessToken: 'fresh', user: MIRA }

it('Sign In shows the password when asked, says that it is busy, and leads to the dashboard', async () => {
  const server = emptyInstallation()
  const bodies: unknown[] = []
  server.on(login, ({ body }) => {
    bodies.push(body)
    return REPLY
  })
  await openApp(server, '/login', { signedIn: false })
  await screen.findByRole('heading', { name: 'Sign In' })
  expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/register')
  press('Sign In')
  await screen.findByText('Email is required')
  screen.getByText('Password is required')
  type('Email', 'mira@example.org')
  type('Password', 'a secret')
  expect(field('Password').type).toBe('password')
  press('Show password')
  expect(field('Password').type).toBe('text')
  press('Hide password')
  expect(field('Password').type).toBe('password')
  press('Sign In')
  await screen.findByRole('button', { name: 'Signing in...' })
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  expect(bodies).toEqual([{ email: 'mira@example.org', password: 'a secret' }])
  expect(window.localStorage.getItem(TOKEN_KEY)).toBe('fresh')
})

it('Sign In that fails is logged and said: in the words of the server, or in its own', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const server = emptyInstallation()
  server.on(login, () => {
    throw new Refusal(401, 'invalid_credentials', 'This email and password do not belong together.')
  })
  await openApp(server, '/login', { signedIn: false })
  await screen.findByRole('heading', { name: 'Sign In' })
  type('Email', 'mira@example.org')
  type('Password', 'wrong')
  press('Sign In')
  await screen.findByText('This email and password do not belong together.')
  server.silence()
  press('Sign In')
  await screen.findByText('Login failed. Please check your email and password.')
  const LOGGED = 'Login failed. Please check your email and password.'
  expect(warn.mock.calls.filter(([text]) => text === LOGGED)).toHaveLength(2)
  expect(field('Email').value).toBe('mira@example.org')
})

it('Sign Up wants everything in order, says what failed, and leads to the dashboard', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const server = emptyInstallation()
  const bodies: unknown[] = []
  server.on(register, ({ body }) => {
    bodies.push(body)
    return REPLY
  })
  await openApp(server, '/register', { signedIn: false })
  await screen.findByRole('heading', { name: 'Sign Up' })
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login')
  type('Username', 'mi')
  type('Email', 'mira@example.org')
  type('Password', '12345')
  press('Sign Up')
  await screen.findByText('Username must be at least 3 characters long')
  screen.getByText('Password must be at least 6 characters long')
  type('Username', 'mira')
  type('Password', 'a secret')
  type('Confirm password', 'another')
  press('Sign Up')
  await screen.findByText('Passwords do not match')
  type('Confirm password', 'a secret')
  server.silence()
  press('Sign Up')
  await screen.findByText('Registration failed. Please try again.')
  server.silence(false)
  press('Sign Up')
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  expect(bodies).toEqual([{ username: 'mira', email: 'mira@example.org', password: 'a secret' }])
})
