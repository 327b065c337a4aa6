// @vitest-environment happy-dom
import { botBalance, botDecisions, botEquity, botTrades, pauseBot, startBot } from '@shapecast/contracts/bot-trading'
import { type Bot, bots, createBot, deleteBot, patchBot } from '@shapecast/contracts/bots'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'

const OTHER = '01890000-0000-7000-8000-000000000002'
const bot = (change: Partial<Bot> = {}): Bot => ({
  id: '01890000-0000-7000-8000-0000000000b1',
  userId: MIRA.id,
  venue: 'simulated',
  name: 'Northwind',
  description: 'Hourly trend.',
  strategy: 'ml',
  status: 'stopped',
  statusReason: null,
  visibility: 'private',
  isVirtual: true,
  tradingPairs: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'ADAUSDT'],
  positionSize: 0.015,
  maxDrawdown: 10,
  riskLevel: 'medium',
  marketType: 'futures',
  leverage: 10,
  takeProfitPct: 4,
  stopLossPct: 0,
  initialBalance: 1000,
  currentBalance: 1062.4,
  totalPnL: 62.4,
  totalTrades: 8,
  winningTrades: 3,
  lastTradeAt: null,
  mlModelVersion: 'v3.2',
  mlModelVersions: null,
  consensusConfig: null,
  parameters: null,
  createdAt: 1_700_000_000_000,
  ...change,
})
const card = (name: string) => screen.findByRole('article', { name })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the Bots page', () => {
  it('asks to create the first bot where there is none', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/trading')
    await screen.findByText('No Trading Bots Yet')
    fireEvent.click(screen.getByRole('button', { name: 'Create First Bot' }))
    await screen.findByRole('dialog', { name: 'Create Trading Bot' })
  })

  it('shows what a bot is and how it stands', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot()])
    await openApp(server, '/trading')
    const text = (await card('Northwind')).textContent
    for (const words of ['🎮 VIRTUAL', 'Private', '1,062.40', '+6.24%', '37.5%', 'ML · v3.2', '10×', 'TP 4%', '+1'])
      expect(text).toContain(words)
    expect(text).not.toContain('SL')
    expect(text).not.toContain('Read Only')
  })

  it("lets nobody press anything on somebody else's public bot", async () => {
    const server = emptyInstallation()
    server.on(bots, () => [bot({ userId: OTHER, visibility: 'public' })])
    await openApp(server, '/trading')
    const other = await card('Northwind')
    within(other).getByText('Read Only')
    within(other).getByText('Public bot — actions limited to owner.')
    expect(within(other).queryByRole('button', { name: 'Start' })).toBeNull()
    expect(within(other).queryByRole('button', { name: 'More about Northwind' })).toBeNull()
  })

  it('starts and pauses a bot, and loads the list again after each', async () => {
    const server = emptyInstallation()
    let status: Bot['status'] = 'stopped'
    server.on(bots, () => [bot({ status })])
    const moveTo = (next: Bot['status']) => () => {
      status = next
      return bot({ status })
    }
    server.on(startBot, moveTo('active'))
    server.on(pauseBot, moveTo('paused'))
    await openApp(server, '/trading')
    fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'Start' }))
    fireEvent.click(await within(await card('Northwind')).findByRole('button', { name: 'Pause' }))
    await within(await card('Northwind')).findByText('Paused')
  })

  it('says on the card why a bot could not be started', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = emptyInstallation()
    server.on(bots, () => [bot()])
    server.on(startBot, () => {
      throw new Refusal(422, 'model_not_trained', 'v3.2 is not trained on ADAUSDT 1h.')
    })
    await openApp(server, '/trading')
    const own = await card('Northwind')
    fireEvent.click(within(own).getByRole('button', { name: 'Start' }))
    expect((await within(own).findByRole('alert')).textContent).toBe('v3.2 is not trained on ADAUSDT 1h.')
  })

  it('asks before it deletes, and makes public without asking', async () => {
    const server = emptyInstallation()
    let list = [bot()]
    const patches: unknown[] = []
    server.on(bots, () => list)
    server.on(patchBot, ({ body }) => {
      patches.push(body)
      return bot({ visibility: 'public' })
    })
    server.on(deleteBot, () => {
      list = []
      return { ok: true as const }
    })
    await openApp(server, '/trading')
    const openMenu = async () =>
      fireEvent.click(within(await card('Northwind')).getByRole('button', { name: 'More about Northwind' }))
    await openMenu()
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Make Public' }))
    await vi.waitFor(() => expect(patches).toEqual([{ visibility: 'public' }]))
    await openMenu()
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete Trading Bot?' })
    within(dialog).getByText('This action cannot be undone. All bot data and trade history will be deleted.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('No Trading Bots Yet')
  })

  it('says in the words of the server why the list could not be loaded', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await openApp(emptyInstallation(), '/trading')
    await screen.findByText('There is nothing here.')
  })
})

describe('the dialog that creates a bot', () => {
  it('sends the defaults with a name; what the server refuses is said and what was typed stays', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const alert = vi.fn()
    vi.stubGlobal('alert', alert)
    const server = emptyInstallation()
    server.on(bots, () => [])
    const bodies: unknown[] = []
    server.on(createBot, ({ body }) => {
      bodies.push(body)
      throw new Refusal(422, 'unprocessable', 'A user has at most 200 bots.')
    })
    await openApp(server, '/trading')
    fireEvent.click(await screen.findByRole('button', { name: 'Create First Bot' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create Trading Bot' })
    within(dialog).getByText('Visible only to you and administrators')
    within(dialog).getByText('Virtual mode only - test strategies safely without real money')
    const create = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Create' })
    expect(create.disabled).toBe(true)
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Tern' } })
    expect(create.disabled).toBe(false)
    fireEvent.click(create)
    await vi.waitFor(() => expect(alert).toHaveBeenCalledWith('A user has at most 200 bots.'))
    expect(bodies).toEqual([expect.objectContaining({ name: 'Tern', initialBalance: 10, isVirtual: true })])
    expect(within(dialog).getByLabelText<HTMLInputElement>('Name').value).toBe('Tern')
  })
})

describe('the details of a bot', () => {
  it('say why it does not trade, what it holds, decided and traded', async () => {
    const server = emptyInstallation()
    const active = bot({ status: 'active' })
    server.on(bots, () => [active])
    server.on(botDecisions, () => ({
      summary: '61 of the last 72 candles: expected edge 4 bps, below the cost of 22 bps.',
      nextAt: 1_700_003_600_000,
      decisions: [
        {
          id: '01890000-0000-7000-8000-0000000000d1',
          symbol: 'BTCUSDT',
          candleTs: 1_700_000_000_000,
          votes: [{ version: 'v3.2', signal: 'BUY' as const, confidence: 0.561, pUp: 0.561, edgeBps: 4 }],
          rule: 'below_cost' as const,
          signal: 'HOLD' as const,
          action: 'no_order' as const,
          reason: 'Expected edge 4 bps, below the cost of 22 bps.',
          target: null,
          orderId: null,
          decidedAt: 1_700_003_600_000,
        },
      ],
    }))
    server.on(botBalance, () => ({
      botId: active.id,
      venue: 'simulated',
      isVirtual: true,
      currency: 'USDT',
      initialBalance: 1000,
      balance: 1062.4,
      equity: 1073.18,
      realizedPnL: 62.4,
      unrealizedPnL: 10.78,
      fees: 3,
      drawdownPct: 2.73,
      worstDrawdownPct: 6,
      positions: [
        {
          symbol: 'BTCUSDT',
          side: 'long' as const,
          quantity: 0.01,
          entryPrice: 66_494.3,
          entryTime: 1_700_000_000_000,
          markPrice: 67_412.3,
          unrealizedPnL: 9.18,
          margin: 221.65,
          takeProfitPrice: null,
          stopLossPrice: 65_164.4,
          liquidationPrice: null,
        },
      ],
    }))
    server.on(botEquity, () => ({ initialBalance: 1000, points: [], hold: [] }))
    server.on(botTrades, () => [])
    await openApp(server, `/trading?bot=${active.id}`)
    const dialog = await screen.findByRole('dialog', { name: 'Northwind' })
    await within(dialog).findByText('61 of the last 72 candles: expected edge 4 bps, below the cost of 22 bps.')
    await within(dialog).findByText('1,073.18')
    within(dialog).getByText('+7.32%')
    await within(dialog).findByText('+9.18 USDT')
    within(dialog).getByText('No trade has been closed yet.')
    within(await within(dialog).findByRole('table', { name: 'Decisions' })).getByText('No order')
  })

  it('say that a bot does not exist where the address names none', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/trading?bot=01890000-0000-7000-8000-0000000000ff')
    await screen.findByText('This bot does not exist, or its owner keeps it private')
  })
})
