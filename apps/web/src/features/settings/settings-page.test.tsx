import { balance } from '@shapecast/contracts/accounts'
import { profile } from '@shapecast/contracts/auth'
import { keptKeys, putKeys, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { health } from '@shapecast/contracts/market'
import { changeRealBotsLimits, realBotsLimits } from '@shapecast/contracts/real-bots'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp, SIMULATED } from '../../testing/render-app.tsx'

const LIMITS = {
  network: 'testnet' as const,
  currency: 'USDT',
  maxOrderNotional: 100,
  maxDayNotional: 500,
  usedNotional: 40,
}

const BOTS_LIMITS = { currency: 'USDT', maxBotsNotional: 1000, usedBotsNotional: 357.29, maxOrdersAMinute: 10 }

describe('the System section', () => {
  it('says what the project is about and how the system is', async () => {
    await openApp(emptyInstallation(), '/settings')
    await screen.findByText('System ok')
    expect(['Testnet', 'WS public', 'WS private'].every((text) => screen.queryByText(text) !== null)).toBe(true)
    screen.getByText('Holders of the Shapecast token get 3 bots for free')
    const text = screen.getByRole('main').textContent
    for (const words of [
      'Shapecast approximates these shapes with adaptive models',
      'A model that holds up is deployed in bots',
      'How can good models be shared safely',
      'Join the discussion on X',
    ])
      expect(text).toContain(words)
  })

  it('says what is not as it should be, and that orders are real ones', async () => {
    const server = emptyInstallation()
    server.on(health, () => ({
      ...SIMULATED,
      status: 'error' as const,
      testnet: false,
      websocket: { public: false, private: true },
    }))
    await openApp(server, '/settings')
    await screen.findByText('System not ok')
    screen.getByText('Mainnet')
    const titleOf = (socket: string) => screen.getByText(socket).closest('[title]')?.getAttribute('title')
    expect(['WS public', 'WS private'].map(titleOf)).toEqual(['not connected', 'connected'])
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
    server.on(health, () => ({ ...SIMULATED, venue: 'binance', market: 'live' as const }))
    server.on(tradingLimits, () => LIMITS)
    server.on(realBotsLimits, () => BOTS_LIMITS)
    server.on(putKeys, () => {
      throw new Refusal(422, 'venue_auth_failed', 'The exchange refuses this key.')
    })
    await openApp(server, '/settings/exchange-keys')
    await screen.findByText('No key is kept. Without one, only virtual orders are possible.')
    await screen.findByText(/40\.00 USDT of the last 24 hours are used/)
    fireEvent.click(screen.getByRole('button', { name: 'Save key' }))
    await screen.findByText('The API key is too short')
    const key = screen.getByRole<HTMLInputElement>('textbox', { name: 'API key' })
    fireEvent.change(key, { target: { value: 'abcdefgh' } })
    fireEvent.change(screen.getByLabelText('Secret'), { target: { value: '12345678' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save key' }))
    await screen.findByText('The exchange refuses this key.')
    expect(key.value).toBe('abcdefgh')
    expect(screen.getByRole('main').textContent).toContain('leave ‘Enable Withdrawals’ off')
    expect(screen.queryByLabelText('Passphrase')).toBeNull()
  })

  it('are of no use where the market is no exchange: the form says which ones there are', async () => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
    server.on(keptKeys, () => [])
    server.on(tradingLimits, () => LIMITS)
    server.on(realBotsLimits, () => BOTS_LIMITS)
    await openApp(server, '/settings/exchange-keys')
    await screen.findByText(/Real orders go to Binance/)
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save key' }).disabled).toBe(true))
  })

  it('tests a kept key at the exchange, and changes what all real bots may hold', async () => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
    server.on(keptKeys, () => [
      { venue: 'binance', network: 'testnet' as const, lastFour: 'w9Kd', savedAt: 0, readable: true, limits: LIMITS },
    ])
    server.on(tradingLimits, () => LIMITS)
    const limits: unknown[] = []
    server.on(realBotsLimits, () => BOTS_LIMITS)
    server.on(changeRealBotsLimits, ({ body }) => {
      limits.push(body)
      return { ...BOTS_LIMITS, maxBotsNotional: 400 }
    })
    server.on(balance, () => {
      throw new Refusal(422, 'venue_auth_failed', 'The exchange refuses this key.')
    })
    await openApp(server, '/settings/exchange-keys')
    fireEvent.click(await screen.findByRole('button', { name: 'Test the key of Binance' }))
    await screen.findByText('The exchange refuses this key.')
    const card = await screen.findByRole('region', { name: 'Limits of all real bots' })
    await within(card).findByText(/357\.29 USDT are held/)
    fireEvent.change(within(card).getByLabelText('All real bots hold at most'), { target: { value: '400' } })
    fireEvent.click(within(card).getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(limits).toEqual([{ maxBotsNotional: 400, maxOrdersAMinute: 10 }]))
  })
})
