import { login, register } from '@shapecast/contracts/auth'
import {
  beginSecondFactor,
  changePassword,
  changeProfile,
  deleteAccount,
  endSession,
  finishSecondFactor,
  type OwnSession,
  ownSessions,
  registrationMode,
  security,
} from '@shapecast/contracts/own-account'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

const CHANGED = Date.UTC(2026, 8, 14)
const OFF = { onSince: null, recoveryCodesLeft: 0, isRequired: false }
const ON = { onSince: CHANGED, recoveryCodesLeft: 8, isRequired: false }
const session = (change: Partial<OwnSession>): OwnSession => ({
  id: '01890000-0000-7000-8000-0000000000c1',
  isCurrent: false,
  address: '198.51.100.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  createdAt: CHANGED,
  lastSeenAt: CHANGED,
  ...change,
})

/** An installation where mira has no second factor. */
function installation() {
  const server = emptyInstallation()
  server.on(security, () => ({ passwordChangedAt: CHANGED, secondFactor: OFF }))
  server.on(ownSessions, () => ({ sessions: [] }))
  return server
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

describe('the Profile section', () => {
  it('changes the name without a password, and the address only with it', async () => {
    const server = installation()
    const bodies: unknown[] = []
    let user = MIRA
    server.on(changeProfile, ({ body }) => {
      bodies.push(body)
      const { currentPassword: _, ...change } = body as { currentPassword?: string }
      user = { ...user, ...change }
      return { user }
    })
    await openApp(server, '/settings/profile')
    await screen.findByLabelText('Username')
    type('Username', 'mira k')
    expect(within(screen.getByRole('region', { name: 'Profile' })).queryByLabelText('Current password')).toBeNull()
    press('Save profile')
    await screen.findByText('mira k')
    type('Email', 'mk@example.org')
    const profile = screen.getByRole('region', { name: 'Profile' })
    fireEvent.change(await within(profile).findByLabelText('Current password'), { target: { value: 'secret' } })
    press('Save profile')
    await waitFor(() => expect(bodies).toHaveLength(2))
    expect(bodies).toEqual([{ username: 'mira k' }, { email: 'mk@example.org', currentPassword: 'secret' }])
  })

  it('changes the password, and says the reason of a refusal', async () => {
    const server = installation()
    server.on(changePassword, () => {
      throw new Refusal(400, 'bad_input', 'The password is wrong.')
    })
    await openApp(server, '/settings/profile')
    const card = await screen.findByRole('region', { name: 'Password' })
    const fill = (label: string, value: string) =>
      fireEvent.change(within(card).getByLabelText(label), { target: { value } })
    fill('Current password', 'wrong one')
    fill('New password', 'new secret')
    fill('Confirm password', 'other secret')
    press('Change password')
    await within(card).findByText('Passwords do not match')
    fill('Confirm password', 'new secret')
    press('Change password')
    await within(card).findByText('The password is wrong.')
    server.on(changePassword, () => ({ ok: true as const }))
    press('Change password')
    await within(card).findByText('The password is changed. Your other sessions have ended.')
  })

  it('deletes the account for the password, and says on Sign In until when it can be kept', async () => {
    const server = installation()
    server.on(deleteAccount, () => ({ deletesAt: Date.UTC(2026, 11, 6) }))
    await openApp(server, '/settings/profile')
    fireEvent.click(await screen.findByRole('button', { name: 'Delete account' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' })
    fireEvent.change(within(dialog).getByLabelText('Password'), { target: { value: 'secret' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete account' }))
    await screen.findByText('Your account will be deleted on 6 Dec 2026. Sign in before then to keep it.')
    expect(window.location.pathname).toBe('/login')
  })
})

describe('the Security section', () => {
  it('lists the sessions and ends one', async () => {
    const server = installation()
    let sessions = [
      session({ isCurrent: true, address: '203.0.113.24' }),
      session({ id: '01890000-0000-7000-8000-0000000000c2', userAgent: 'curl/8.5.0' }),
    ]
    server.on(ownSessions, () => ({ sessions }))
    server.on(endSession, ({ params }) => {
      sessions = sessions.filter(({ id }) => id !== params.id)
      return { ok: true as const }
    })
    await openApp(server, '/settings/security')
    await screen.findByText('Firefox on Linux · 203.0.113.24')
    press('End the session of curl')
    await waitFor(() => expect(screen.queryByText('curl')).toBeNull())
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull()
  })

  it('sets a second factor up by QR code or secret, and shows the recovery codes once', async () => {
    const server = installation()
    let secondFactor: typeof OFF | typeof ON = OFF
    server.on(security, () => ({ passwordChangedAt: CHANGED, secondFactor }))
    server.on(beginSecondFactor, () => ({ secret: 'JBSWY3DP', uri: 'otpauth://totp/Shapecast?secret=JBSWY3DP' }))
    server.on(finishSecondFactor, ({ body }) => {
      if ((body as { code: string }).code !== '123456') throw new Refusal(403, 'wrong_code', 'The code is wrong.')
      secondFactor = ON
      return { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] }
    })
    await openApp(server, '/settings/security')
    fireEvent.click(await screen.findByRole('button', { name: 'Set up' }))
    type('Password', 'secret')
    press('Continue')
    await screen.findByRole('img', { name: 'QR code of the secret' })
    screen.getByText('JBSWY3DP')
    type('Code', '654321')
    press('Switch on')
    await screen.findByText('The code is wrong.')
    type('Code', '123456')
    press('Switch on')
    await screen.findByText(/aaaa-bbbb\s+cccc-dddd/)
    press('I have kept them')
    await screen.findByText('On since 14 Sep 2026, by an authenticator app')
    screen.getByText('8 of 10 left. Each opens the account once if the phone is lost.')
    await waitFor(() => expect(screen.queryByText(/aaaa-bbbb/)).toBeNull())
  })

  it('asks for a code of the device in use before it is changed', async () => {
    const server = installation()
    const bodies: unknown[] = []
    server.on(security, () => ({ passwordChangedAt: CHANGED, secondFactor: ON }))
    server.on(beginSecondFactor, ({ body }) => {
      bodies.push(body)
      return { secret: 'JBSWY3DP', uri: 'otpauth://totp/Shapecast?secret=JBSWY3DP' }
    })
    await openApp(server, '/settings/security')
    fireEvent.click(await screen.findByRole('button', { name: 'Change device' }))
    type('Password', 'secret')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' }).disabled).toBe(true)
    type('Code', '123456')
    press('Continue')
    await screen.findByRole('img', { name: 'QR code of the secret' })
    expect(bodies).toEqual([{ password: 'secret', code: '123456' }])
  })

  it('cannot be switched off where the role requires it', async () => {
    const server = installation()
    server.on(security, () => ({ passwordChangedAt: CHANGED, secondFactor: { ...ON, isRequired: true } }))
    await openApp(server, '/settings/security')
    await screen.findByText(/Your role requires it/)
    expect(screen.queryByRole('button', { name: 'Switch off' })).toBeNull()
  })
})

describe('the doors', () => {
  it('ask for the second factor where the account has one', async () => {
    const server = emptyInstallation()
    server.on(login, ({ body }) => {
      if ((body as { code?: string }).code !== '123456')
        throw new Refusal(403, 'second_factor_required', 'Enter the code of your authenticator app.')
      return { accessToken: 'token', user: MIRA }
    })
    await openApp(server, '/login', { signedIn: false })
    await screen.findByLabelText('Email')
    type('Email', 'mira@example.org')
    type('Password', 'secret')
    press('Sign In')
    fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } })
    press('Sign In')
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  })

  it('take the invitation of a link', async () => {
    const server = emptyInstallation()
    const bodies: unknown[] = []
    server.on(registrationMode, () => ({ registration: 'invitation' as const, resetsByMail: false }))
    server.on(register, ({ body }) => {
      bodies.push(body)
      return { accessToken: 'token', user: MIRA }
    })
    await openApp(server, '/register#invitation=abcd-efgh', { signedIn: false })
    expect((await screen.findByLabelText<HTMLInputElement>('Invitation code')).value).toBe('abcd-efgh')
    type('Username', 'mira')
    type('Email', 'mira@example.org')
    type('Password', 'secret')
    type('Confirm password', 'secret')
    press('Sign Up')
    await waitFor(() =>
      expect(bodies).toEqual([
        { username: 'mira', email: 'mira@example.org', password: 'secret', invitation: 'abcd-efgh' },
      ]),
    )
  })
})
