// @vitest-environment happy-dom
import { health, ohlcv } from '@shapecast/contracts/market'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { emptyInstallation, openApp, readAgain, SIMULATED } from '../../testing/render-app.tsx'

/** What React tells a developer's tools: here the number of times that anything was drawn. */
const drawn = vi.hoisted(() => {
  const counted = { commits: 0 }
  const hook = {
    renderers: new Map(),
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => void counted.commits++,
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  }
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  return counted
})
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

it('draws nothing where it brings nothing new, also while the clock of the market goes on', async () => {
  const server = emptyInstallation()
  server.on(ohlcv, () => Array.from({ length: 300 }, (_, i) => [i * 3_600_000, 100, 101, 99, 100, 5]))
  await openApp(server, '/dashboard')
  await screen.findByRole('application', { name: /price chart/ })
  for (const words of ['ML model unavailable or not trained', 'No tasks yet', 'No backtests found', 'Welcome, mira'])
    await screen.findByText(words)
  expect(drawn.commits).toBeGreaterThan(0)
  let minutes = 0
  const before = server.calls.length
  // Again while what came late, as the meanings of words, is still to be drawn.
  await waitFor(async () => {
    minutes += 15
    server.on(health, () => ({ ...SIMULATED, marketTime: SIMULATED.marketTime! + minutes * 60_000 }))
    drawn.commits = 0
    await readAgain()
    expect(drawn.commits).toBe(0)
  })
  expect(server.calls.slice(before)).toContain('GET /bot/health')
})
