import { type AuthReply, profile } from '@shapecast/contracts/auth'
import { backtestRuns } from '@shapecast/contracts/backtest'
import { botResults } from '@shapecast/contracts/bot-results'
import { bots } from '@shapecast/contracts/bots'
import { chartLines, watchlist } from '@shapecast/contracts/charts'
import { firstModel } from '@shapecast/contracts/first-model'
import { type Health, health, markets, ohlcv, seriesList, ticker } from '@shapecast/contracts/market'
import { mlHealth, models } from '@shapecast/contracts/ml'
import { notifications } from '@shapecast/contracts/notifications'
import { registrationMode } from '@shapecast/contracts/own-account'
import { ownSlippage } from '@shapecast/contracts/own-slippage'
import { portfolio } from '@shapecast/contracts/portfolio'
import { predictionColumns, toColumns } from '@shapecast/contracts/prediction-columns'
import { policyShare, predictions } from '@shapecast/contracts/predictions'
import { realTradingState } from '@shapecast/contracts/real-bots'
import { retrainings } from '@shapecast/contracts/retraining'
import { tasks } from '@shapecast/contracts/tasks'
import { act, cleanup, configure, render } from '@testing-library/react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, expect } from 'vitest'
import { TOKEN_KEY } from '#wire/session/session-token.ts'
import { authSession, queryClient } from '../app/browser-session.ts'
import { routes } from '../app/routes.tsx'
import { createFakeServer, type FakeServer } from './fake-server.ts'
import { NO_RESULTS } from './sample-bot.ts'

configure({
  // A page's code and its replies may take their time on a busy machine.
  asyncUtilTimeout: 60_000,
  // Asked for at every look for what is not there yet: the page as markup would take a tenth of the time.
  getElementError: (message, container) => new Error(`${message}\n\nThe page says: ${container.textContent}`),
})

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
  server.on(registrationMode, () => ({ registration: 'open' as const, resetsByMail: false }))
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
  server.on(ohlcv, () => [])
  server.on(seriesList, () => [])
  server.on(predictions, () => [])
  server.on(predictionColumns, () => toColumns([], 3_600_000))
  server.on(policyShare, () => ({ share: null, at: null }))
  server.on(bots, () => [])
  server.on(botResults, () => NO_RESULTS)
  server.on(ownSlippage, () => ({ fills: 0, estimate: null }))
  server.on(portfolio, () => ({ virtual: null, real: null, courses: [] }))
  server.on(realTradingState, () => ({
    killed: false,
    killedAt: null,
    killedBy: null,
    killedReason: null,
    closing: false,
    activeBots: 0,
    openOrders: 0,
    positions: [],
  }))
  server.on(backtestRuns, () => [])
  server.on(tasks, () => ({ tasks: [], total: 0, page: 1, limit: 50 }))
  server.on(notifications, () => ({ notifications: [], unread: 0, hasMore: false }))
  server.on(watchlist, () => ({ series: [] }))
  server.on(chartLines, () => ({ lines: [] }))
  server.on(retrainings, () => [])
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
    candlesReady: true,
    progress: null,
    error: null,
  }))
  return server
}

let opened: FakeServer | undefined
let router: ReturnType<typeof createBrowserRouter> | undefined

// What is still on its way when a test ends would be drawn where there is no window any more.
afterEach(() => {
  cleanup()
  router?.dispose()
  queryClient.clear()
  const complaints = opened?.complaints
  opened = undefined
  expect(complaints ?? [], 'complaints of the fake server').toEqual([])
})

/** Opens the whole client at `path`, signed in or not, against a fake server. */
export async function openApp(server: FakeServer, path: string, { signedIn = true } = {}) {
  opened = server
  window.fetch = server.fetch
  window.history.replaceState(null, '', path)
  if (signedIn) window.localStorage.setItem(TOKEN_KEY, 'a token')
  else window.localStorage.removeItem(TOKEN_KEY)
  queryClient.clear()
  await authSession.start()
  router = createBrowserRouter(routes)
  return render(<RouterProvider router={router} />)
}

/** Everything on the page is asked for once more. */
export const readAgain = () => act(() => queryClient.invalidateQueries())
