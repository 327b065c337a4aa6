import { profile } from '@shapecast/contracts/auth'
import { botDecisions } from '@shapecast/contracts/bot-decisions'
import { botBalance, botEquity, botTrades } from '@shapecast/contracts/bot-trading'
import { bots } from '@shapecast/contracts/bots'
import type { StreamEvent } from '@shapecast/contracts/stream'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { NO_POSITION, sampleBot } from '../../testing/sample-bot.ts'

const listeners = vi.hoisted(() => new Set<readonly [string, (event: StreamEvent) => void]>())
vi.mock('#wire/live/browser-live-events.ts', () => ({
  liveEvents: {
    listen: ({ kind }: { kind: string }, listener: (event: StreamEvent) => void) => {
      const one = [kind, listener] as const
      listeners.add(one)
      return () => listeners.delete(one)
    },
  },
}))
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

it('asks for the bots once when one of them has changed, however many places show them, and listens while one does', async () => {
  const server = emptyInstallation()
  server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
  const bot = sampleBot({ name: 'Northwind', visibility: 'public' })
  server.on(bots, () => [bot])
  const { unmount } = await openApp(server, '/dashboard')
  const shown = within(await screen.findByRole('region', { name: 'Public Bots' }))
  await shown.findByText('Northwind')
  server.on(bots, () => [{ ...bot, name: 'Southwind' }])
  const calls = () => server.calls.filter((one) => one === 'GET /bot/api/bots').length
  const before = calls()
  act(() => {
    for (const [kind, listener] of listeners)
      if (kind === 'bots')
        listener({ event: 'bot', data: { id: bot.id, change: 'changed', status: 'active', name: 'Southwind' } })
  })
  await shown.findByText('Southwind')
  expect(calls() - before).toBe(1)
  unmount()
  await waitFor(() => expect(listeners.size).toBe(0))
})

it('reads the figures of a bot again as it changes and not those of another, and the list once for many', async () => {
  const server = emptyInstallation()
  const bot = sampleBot({ name: 'Northwind' })
  server.on(bots, () => [bot])
  let trades = 0
  server.on(botTrades, ({ query }) => {
    if (query.get('limit') === '8') trades++
    return []
  })
  server.on(botDecisions, () => ({ summary: null, nextAt: null, decisions: [] }))
  server.on(botEquity, () => ({ initialBalance: 1000, points: [], hold: [] }))
  server.on(botBalance, () => NO_POSITION)
  await openApp(server, `/bots/${bot.id}`)
  await waitFor(() => expect(trades).toBe(1))
  const tell = (ids: readonly string[]) =>
    act(() => {
      for (const id of ids)
        for (const [kind, listener] of listeners)
          if (kind === 'bots')
            listener({ event: 'bot', data: { id, change: 'changed', status: 'active', name: 'Northwind' } })
    })
  const lists = () => server.calls.filter((one) => one === 'GET /bot/api/bots').length
  const before = lists()
  tell(Array.from({ length: 100 }, (_, i) => `01890000-0000-7000-8000-0000000f${1000 + i}`))
  await waitFor(() => expect(lists()).toBe(before + 1))
  expect(trades).toBe(1)
  tell(['01890000-0000-7000-8000-0000000000b9', bot.id])
  await waitFor(() => expect(trades).toBe(2))
  expect(lists()).toBe(before + 2)
})
