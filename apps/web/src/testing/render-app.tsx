import { type AuthReply, profile } from '@shapecast/contracts/auth'
import { firstModel } from '@shapecast/contracts/first-model'
import { type Health, health, markets, ticker } from '@shapecast/contracts/market'
import { mlHealth, models } from '@shapecast/contracts/ml'
import { notifications } from '@shapecast/contracts/notifications'
import { act, cleanup, configure, render } from '@testing-library/react'
import { afterEach } from 'vitest'
import { App } from '../app/app.tsx'
import { authSession, queryClient } from '../app/browser-session.ts'
import { TOKEN_KEY } from '../shared/auth/session-token.ts'
import { createFakeServer, type FakeServer } from './fake-server.ts'

// A page's code and its replies may take their time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

export const MIRA: AuthReply['user'] = {
  id: '01890000-0000-7000-8000-000000000001',
  username: 'mira',
  email: 'mira@example.org',
  role: 'bot_manager',
}
export const SIMULATED: Health = {
  status: 'ok',
  testnet: true,
  venue: 'simulated',
  market: 'simulated',
  marketTime: 1_700_000_000_000,
  websocket: { public: true, private: false },
}

/** A server with one market, no model and no bot, on which mira is signed in where `user` is left out. */
export function emptyInstallation(): FakeServer {
  const server = createFakeServer()
  server.on(profile, () => ({ user: MIRA }))
  server.on(health, () => SIMULATED)
  server.on(ticker, () => ({ symbol: 'BTCUSDT', last: 67_412.3, change: 461.8, percentage: 0.69, timestamp: 0 }))
  server.on(markets, () => [
    {
      id: 'BTCUSDT',
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
      active: true,
      tickSize: 0.1,
      lotSize: 0.00001,
      minNotional: 5,
    },
  ])
  server.on(notifications, () => ({ notifications: [], unread: 0, hasMore: false }))
  server.on(models, () => ({ models: [], current: null }))
  server.on(mlHealth, () => ({
    healthy: false,
    stats: { accuracy: null, interval: null, baseline: null },
  }))
  server.on(firstModel, () => ({
    state: 'done' as const,
    version: 'v3',
    symbol: 'BTCUSDT',
    timeframe: '1h' as const,
    candlesNeeded: 1137,
    progress: null,
    error: null,
  }))
  return server
}

// What is still on its way when a test ends would be drawn where there is no window any more.
afterEach(() => {
  cleanup()
  queryClient.clear()
})

/** Opens the whole client at `path`, signed in or not, against a fake server. */
export async function openApp(server: FakeServer, path: string, { signedIn = true } = {}) {
  window.fetch = server.fetch
  window.history.replaceState(null, '', path)
  if (signedIn) window.localStorage.setItem(TOKEN_KEY, 'a token')
  else window.localStorage.removeItem(TOKEN_KEY)
  queryClient.clear()
  await authSession.start()
  return render(<App />)
}

/** Everything on the page is asked for once more. */
export const readAgain = () => act(() => queryClient.invalidateQueries())
