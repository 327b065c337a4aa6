// @vitest-environment happy-dom
import { ticker } from '@shapecast/contracts/market'
import { mlHealth } from '@shapecast/contracts/ml'
import { predict, predictions } from '@shapecast/contracts/predictions'
import { tasks } from '@shapecast/contracts/tasks'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, openApp, readAgain } from '../../testing/render-app.tsx'

// A canvas draws nothing here.
vi.mock('../../charts/price-chart/create-price-chart.ts', () => ({
  createPriceChart: () => ({ show: () => undefined, reset: () => undefined, remove: () => undefined }),
}))

const card = (name: string) => screen.findByRole('region', { name })
const SAID = {
  timestamp: 1_700_000_000_000,
  aligned_ts: 1_700_003_600_000,
  signal: 'BUY' as const,
  confidence: 0.642,
  current_price: 1000,
  lstm_prediction: 1002.1,
  transformer_prediction: 999,
  stopLoss: 990,
  edgeBps: 14,
  version: 'v3',
  hash: 'a',
}

describe('the dashboard of an empty installation', () => {
  it('has the words of every card that is empty', async () => {
    await openApp(emptyInstallation(), '/dashboard')
    const status = await card('Status')
    await within(status).findByText('Running')
    expect(status.textContent).toContain('Simulated market · Testnet')
    await within(status).findByText('67,412.3')
    expect(status.textContent).toContain('+0.69%')
    await within(status).findByText('Unavailable')
    within(await card('ML Signal')).getByText('ML model unavailable or not trained')
    within(await card('Public Bots')).getByText('No public bots available')
    within(await card('Recent Backtests')).getByText('No backtests found')
    within(await card('Tasks')).getByText('No tasks yet')
  })
})

describe('the tasks', () => {
  it('are six at most, each with its status in words', async () => {
    const server = emptyInstallation()
    const task = (i: number) => ({
      _id: `01890000-0000-7000-8000-0000000000${10 + i}`,
      title: `Task ${i}`,
      description: '',
      status: 'in_progress' as const,
      priority: 'medium' as const,
      tags: [],
      author: null,
      votesFor: 0,
      votesAgainst: 0,
      myVote: null,
      createdAt: 0,
      updatedAt: 0,
    })
    server.on(tasks, () => ({ tasks: Array.from({ length: 8 }, (_, i) => task(i)), total: 8, page: 1, limit: 10 }))
    await openApp(server, '/dashboard')
    const list = await card('Tasks')
    await within(list).findByText('Task 5')
    expect(within(list).getAllByRole('listitem')).toHaveLength(6)
    expect(within(list).getAllByText('in progress')).toHaveLength(6)
  })
})

describe('the signal', () => {
  it('shows what the model said last, and asks it again on Refresh', async () => {
    const server = emptyInstallation()
    server.on(predictions, () => [{ ...SAID, source: 'live' as const, madeAt: 1_700_000_004_000, trainedOn: false }])
    server.on(predict, () => ({ ...SAID, signal: 'SELL' as const, reasoning: 'Both networks expect a lower close.' }))
    await openApp(server, '/dashboard')
    const signal = await card('ML Signal')
    await within(signal).findByText('BUY')
    expect(signal.textContent).toContain('64.2%')
    expect(signal.textContent).toContain('+0.21%')
    expect(signal.textContent).toContain('Cached ML signal')
    expect(signal.textContent).toContain('Updated 22:13:24 UTC')
    fireEvent.click(within(signal).getByRole('button', { name: 'Refresh' }))
    await within(signal).findByText('Both networks expect a lower close.')
    within(signal).getByText('SELL')
  })
})

describe('when it cannot be loaded', () => {
  it('says why in the words of the server; what fails beside the price and the system counts as nothing', async () => {
    const server = emptyInstallation()
    server.on(mlHealth, () => {
      throw new Refusal(500, 'internal', 'The models are away.')
    })
    server.on(ticker, () => {
      throw new Refusal(502, 'venue_unreachable', 'The exchange does not answer.')
    })
    await openApp(server, '/dashboard')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The exchange does not answer.')
    expect(screen.queryByText('The models are away.')).toBeNull()
    within(await card('Status')).getByText('Unavailable')
  })
  it('says Data loading error and how old the figures are when nobody answers', async () => {
    const server = emptyInstallation()
    await openApp(server, '/dashboard')
    await within(await card('Status')).findByText('Running')
    server.silence()
    await readAgain()
    const title = await screen.findByText('Data loading error')
    expect(title.closest('[role="alert"]')?.textContent).toMatch(/Figures as of \d\d:\d\d:\d\d UTC/)
    within(await card('Status')).getByText('67,412.3')
  })
})
