// @vitest-environment happy-dom
import { profile } from '@shapecast/contracts/auth'
import { keptKeys, putKeys, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

const LIMITS = {
  network: 'testnet' as const,
  currency: 'USDT',
  maxOrderNotional: 100,
  maxDayNotional: 500,
  usedNotional: 40,
}

describe('the System section', () => {
  it('says what the project is about and how the system is', async () => {
    await openApp(emptyInstallation(), '/settings')
    await screen.findByText('System ok')
    expect(['Testnet', 'WS public', 'WS private'].every((text) => screen.queryByText(text) !== null)).toBe(true)
    screen.getByText('Holders of the Shapecast token get 3 bots for free')
    expect(screen.getByRole('main').textContent).toContain('Join the discussion on X')
  })

  it('has a Model panel whose buttons only draw it again', async () => {
    const server = emptyInstallation()
    await openApp(server, '/settings')
    const panel = await screen.findByRole('region', { name: 'Model' })
    const drawn = () => panel.querySelector('[data-run]')?.getAttribute('data-run')
    const calls = server.calls.filter((call) => !call.startsWith('GET'))
    fireEvent.click(within(panel).getByRole('button', { name: 'Buy' }))
    expect(drawn()).toBe('1')
    fireEvent.click(within(panel).getByRole('button', { name: 'Sell' }))
    expect(drawn()).toBe('2')
    expect(server.calls.filter((call) => !call.startsWith('GET'))).toEqual(calls)
  })
})

describe('exchange keys', () => {
  it('are for admins: anybody else is led to the dashboard', async () => {
    await openApp(emptyInstallation(), '/settings/exchange-keys')
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
  })

  it('are tried before they are kept; a refusal is told, and what was typed stays', async () => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
    server.on(keptKeys, () => [])
    server.on(tradingLimits, () => LIMITS)
    server.on(putKeys, () => {
      throw new Refusal(422, 'venue_auth_failed', 'The exchange refuses this key.')
    })
    await openApp(server, '/settings/exchange-keys')
    await screen.findByText('No key is kept. Without one, only virtual orders are possible.')
    expect(screen.getByText(/40\.00 USDT of the last 24 hours are used/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save key' }))
    await screen.findByText('The API key is too short')
    const key = screen.getByRole<HTMLInputElement>('textbox', { name: 'API key' })
    fireEvent.change(key, { target: { value: 'abcdefgh' } })
    fireEvent.change(screen.getByLabelText('Secret'), { target: { value: '12345678' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save key' }))
    await screen.findByText('The exchange refuses this key.')
    expect(key.value).toBe('abcdefgh')
  })
})
