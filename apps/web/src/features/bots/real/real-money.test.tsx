import type { Order } from '@shapecast/contracts/accounts'
import { profile } from '@shapecast/contracts/auth'
import { allowRealTrading, killBots, startBot, stopBot } from '@shapecast/contracts/bot-changes'
import { botDecisions } from '@shapecast/contracts/bot-decisions'
import { botBalance, botEquity, botOrders, botTrades } from '@shapecast/contracts/bot-trading'
import { bots } from '@shapecast/contracts/bots'
import { keptKeys, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { confirmItIsMe, security } from '@shapecast/contracts/own-account'
import { type RealTradingState, realBotsLimits, realTradingState } from '@shapecast/contracts/real-bots'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type FakeServer, Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp, readAgain } from '../../../testing/render-app.tsx'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { killedWords } from './killed-banner.tsx'

const LIMITS = {
  network: 'testnet' as const,
  currency: 'USDT',
  maxOrderNotional: 100,
  maxDayNotional: 500,
  usedNotional: 40,
}
const ON: RealTradingState = {
  killed: false,
  killedAt: null,
  killedBy: null,
  killedReason: null,
  closing: false,
  activeBots: 1,
  openOrders: 3,
  positions: [{ botId: sampleBot().id, botName: 'Granite', symbol: 'BTCUSDT', quantity: 0.0053 }],
}
const OFF: RealTradingState = { ...ON, killed: true, killedAt: 1_700_000_000_000, killedBy: MIRA.id, openOrders: 0 }
const granite = sampleBot({ name: 'Granite', isVirtual: false, venue: 'binance', marketType: 'spot' })

const HELD = {
  symbol: 'BTCUSDT',
  side: 'long' as const,
  quantity: 0.00999,
  entryPrice: 20_000,
  entryTime: 0,
  takeProfitPrice: null,
  stopLossPrice: null,
  markPrice: 21_000,
  worth: 209.79,
  unrealizedPnL: 9.99,
}

/** mira is admin, has a second factor, and one bot with real money. */
function realInstallation(state: () => RealTradingState = () => ON): FakeServer {
  const server = emptyInstallation()
  server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
  server.on(security, () => ({
    passwordChangedAt: 0,
    secondFactor: { onSince: 1, recoveryCodesLeft: 8, isRequired: true },
  }))
  server.on(keptKeys, () => [
    { venue: 'binance', network: 'testnet' as const, lastFour: 'w9Kd', savedAt: 0, readable: true, limits: LIMITS },
  ])
  server.on(tradingLimits, () => LIMITS)
  server.on(realBotsLimits, () => ({
    currency: 'USDT',
    maxBotsNotional: 1000,
    usedBotsNotional: 860,
    maxOrdersAMinute: 10,
  }))
  server.on(bots, () => [granite])
  server.on(realTradingState, state)
  return server
}
const type = (dialog: HTMLElement, label: string, value: string) =>
  fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })

describe('the start of a bot with real money', () => {
  it('says what will happen within which limits, and takes the words and a code before it starts', async () => {
    const server = realInstallation()
    const asked: unknown[] = []
    let codes = 0
    server.on(confirmItIsMe, ({ body }) => {
      asked.push(body)
      codes += 1
      if (codes === 1) throw new Refusal(422, 'wrong_code', 'This code does not fit.')
      return { until: 0 }
    })
    server.on(startBot, ({ body }) => {
      asked.push(body)
      return { ...granite, status: 'active' as const }
    })
    await openApp(server, '/trading')
    fireEvent.click(
      within(await screen.findByRole('article', { name: 'Granite' })).getByRole('button', { name: 'Start' }),
    )
    const dialog = await screen.findByRole('dialog', { name: 'Start Granite with real money?' })
    await within(dialog).findByText('860.00 of 1,000.00 USDT')
    await within(dialog).findByText(/ends with w9Kd, on the testnet/)
    const start = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Start with real money' })
    expect(start.disabled).toBe(true)
    type(dialog, 'Type ‘real money’', 'real mon')
    type(dialog, 'Code of your authenticator', '123456')
    expect(start.disabled).toBe(true)
    type(dialog, 'Type ‘real money’', 'real money')
    fireEvent.click(start)
    await within(dialog).findByText('This code does not fit.')
    expect(asked).toEqual([{ code: '123456' }])
    fireEvent.click(start)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked.slice(1)).toEqual([{ code: '123456' }, { confirm: 'real money' }])
  })

  it('says on futures that the margin is isolated, with which leverage, and that all of it can be lost', async () => {
    const server = realInstallation()
    server.on(bots, () => [{ ...granite, marketType: 'futures' as const, leverage: 8 }])
    await openApp(server, '/trading')
    fireEvent.click(
      within(await screen.findByRole('article', { name: 'Granite' })).getByRole('button', { name: 'Start' }),
    )
    const dialog = await screen.findByRole('dialog', { name: 'Start Granite with real money?' })
    within(dialog).getByText('isolated margin and 8× leverage')
    within(dialog).getByText('its whole margin is lost')
    within(dialog).getByText('Largest entry, leverage included')
  })

  it('is not possible without a key, and says where one is added', async () => {
    const server = realInstallation()
    server.on(keptKeys, () => [])
    await openApp(server, '/trading')
    fireEvent.click(
      within(await screen.findByRole('article', { name: 'Granite' })).getByRole('button', { name: 'Start' }),
    )
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('No API key of Binance is kept')
    type(dialog, 'Type ‘real money’', 'real money')
    type(dialog, 'Code of your authenticator', '123456')
    const start = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Start with real money' })
    expect(start.disabled).toBe(true)
  })

  it('is left to its owner, whose key it trades with', async () => {
    const server = realInstallation()
    server.on(bots, () => [{ ...granite, userId: '01890000-0000-7000-8000-000000000002' }])
    await openApp(server, '/trading')
    const start = within(await screen.findByRole('article', { name: 'Granite' })).getByRole<HTMLButtonElement>(
      'button',
      {
        name: 'Start',
      },
    )
    expect([start.disabled, start.title]).toEqual([true, expect.stringContaining('Only its owner')])
  })
})

it('the stop of a bot with real money keeps its position unless told otherwise; a sale takes the words, and no code', async () => {
  const server = realInstallation()
  const asked: unknown[] = []
  server.on(bots, () => [{ ...granite, status: 'active' as const, positions: [HELD] }])
  server.on(stopBot, ({ body }) => {
    asked.push(body)
    return granite
  })
  await openApp(server, '/trading')
  const ask = async () => {
    const card = await screen.findByRole('article', { name: 'Granite' })
    fireEvent.click(within(card).getByRole('button', { name: 'Stop' }))
    return screen.findByRole('dialog', { name: 'Stop Granite?' })
  }
  let dialog = await ask()
  expect(dialog.textContent).toContain(
    'It holds 0.00999 BTC, worth 209.79 USDT of real money: +9.99 USDT since 20,000.0, before costs.',
  )
  expect(within(dialog).queryByLabelText('Type ‘real money’')).toBeNull()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stop and keep' }))
  await waitFor(() => expect(asked).toEqual([{ position: 'keep' }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  dialog = await ask()
  fireEvent.click(within(dialog).getByRole('radio', { name: /^Sell now/ }))
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Stop and sell' }).disabled).toBe(true)
  type(dialog, 'Type ‘real money’', 'Real money ')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stop and sell' }))
  await waitFor(() => expect(asked[1]).toEqual({ position: 'sell', confirm: 'real money' }))
})

describe('the kill switch', () => {
  it('counts a bot as soon as it is started with real money', async () => {
    let activeBots = 0
    const server = realInstallation(() => ({ ...ON, activeBots }))
    server.on(confirmItIsMe, () => ({ until: 0 }))
    server.on(startBot, () => {
      activeBots = 1
      return { ...granite, status: 'active' as const }
    })
    await openApp(server, '/trading')
    await waitFor(() => expect(server.calls).toContain('GET /bot/api/bots/kill'))
    const granites = await screen.findByRole('article', { name: 'Granite' })
    fireEvent.click(within(granites).getByRole('button', { name: 'Start' }))
    const start = await screen.findByRole('dialog', { name: 'Start Granite with real money?' })
    type(start, 'Type ‘real money’', 'real money')
    type(start, 'Code of your authenticator', '123456')
    fireEvent.click(await within(start).findByRole('button', { name: 'Start with real money' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(screen.getByRole('button', { name: 'Stop everything' }))
    await within(await screen.findByRole('dialog')).findByText('1 real bot')
  })

  it('stops everything without a code, keeps positions unless told otherwise, and stands above every page', async () => {
    let state = ON
    const server = realInstallation(() => state)
    const asked: unknown[] = []
    server.on(killBots, ({ body }) => {
      asked.push(body)
      state = { ...OFF, killedReason: (body as { reason?: string }).reason ?? null }
      return state
    })
    server.on(confirmItIsMe, ({ body }) => {
      asked.push(body)
      return { until: 0 }
    })
    server.on(allowRealTrading, () => {
      state = { ...OFF, killed: false, killedAt: null }
      return state
    })
    await openApp(server, '/trading')
    const button = await screen.findByRole('button', { name: 'Stop everything' })
    await waitFor(() => expect(server.calls).toContain('GET /bot/api/bots/kill'))
    fireEvent.click(button)
    const dialog = await screen.findByRole('dialog', { name: 'Stop everything at the exchange?' })
    await within(dialog).findByText('3 open orders')
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: /Keep positions/ }).checked).toBe(true)
    type(dialog, 'Reason (optional)', ' prices are wrong ')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stop everything' }))
    await screen.findByText('Kill switch is on: real bots cannot trade')
    expect(asked).toEqual([{ close: false, reason: 'prices are wrong' }])
    await screen.findByText(/Reason given: “prices are wrong”\./)
    await screen.findByText(/Kept: 0\.0053 BTCUSDT of Granite, without a stop\./)
    fireEvent.click(screen.getByRole('button', { name: 'Switch off' }))
    const off = await screen.findByRole('dialog', { name: 'Switch the kill switch off?' })
    type(off, 'Code of your authenticator', '654321')
    fireEvent.click(within(off).getByRole('button', { name: 'Allow real trading' }))
    await waitFor(() => expect(screen.queryByText('Kill switch is on: real bots cannot trade')).toBeNull())
    expect(asked[1]).toEqual({ code: '654321' })
  })

  it('says before the press what real bots hold and what it is worth, and asks nothing where they hold nothing', async () => {
    let state = ON
    const server = realInstallation(() => state)
    server.on(bots, () => [{ ...granite, positions: [{ ...HELD, worth: 357.29, unrealizedPnL: 1.84 }] }])
    await openApp(server, '/trading')
    const open = async () => {
      fireEvent.click(await screen.findByRole('button', { name: 'Stop everything' }))
      return within(await screen.findByRole('dialog'))
    }
    const dialog = await open()
    const table = await dialog.findByRole('table', { name: 'Positions of real bots' })
    expect(within(table).getByRole('row', { name: /Granite/ }).textContent).toBe('GraniteBTCUSDT0.0053357.29+1.84')
    dialog.getByText(/Closes what the bots hold at the market, about 357\.29 USDT/)
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    state = { ...ON, positions: [], openOrders: 0 }
    await readAgain()
    const empty = await open()
    await empty.findByText(/one that is on its way is cancelled/)
    expect(empty.queryByRole('radio', { name: /Keep positions/ })).toBeNull()
  })

  it('sells what bots hold only after the words and a code', async () => {
    const server = realInstallation()
    const asked: unknown[] = []
    server.on(confirmItIsMe, () => ({ until: 0 }))
    server.on(killBots, ({ body }) => {
      asked.push(body)
      return { ...OFF, closing: true }
    })
    await openApp(server, '/trading')
    fireEvent.click(await screen.findByRole('button', { name: 'Stop everything' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('radio', { name: /Close positions/ }))
    const stop = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Stop everything' })
    expect(stop.disabled).toBe(true)
    type(dialog, 'Type ‘real money’', 'real money')
    type(dialog, 'Code of your authenticator', '1')
    fireEvent.click(stop)
    await waitFor(() => expect(asked).toEqual([{ close: true, confirm: 'real money' }]))
  })

  it('names what is left at the exchange', () => {
    expect(killedWords({ ...OFF, openOrders: 1, positions: [] })).toBe(
      'Since 14 Nov 2023, 22:13 UTC. 1 order may still be open at the exchange; cancelling goes on.',
    )
    expect(killedWords({ ...OFF, closing: true })).toContain('Selling: 0.0053 BTCUSDT of Granite.')
  })
})

it('a real bot that stopped by itself stands above every page of an admin', async () => {
  const server = realInstallation()
  server.on(bots, () => [{ ...granite, status: 'error' as const, statusReason: 'The exchange holds 0.1 BTC more.' }])
  await openApp(server, '/settings')
  await screen.findByText('Granite has stopped trading real money')
  await screen.findByText('The exchange holds 0.1 BTC more.')
})

describe('the orders of a bot with real money', () => {
  it('say which of them can only make a position smaller', async () => {
    const order: Order = {
      id: '01890000-0000-7000-8000-0000000000e1',
      clientOrderId: 'sc1',
      isVirtual: false,
      venue: 'binance',
      market: 'live',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'market',
      status: 'filled',
      statusReason: null,
      amount: 0.01,
      filled: 0.01,
      price: null,
      stopPrice: null,
      reduceOnly: false,
      average: 20_000,
      fee: 0.1,
      pnl: null,
      source: 'bot',
      createdAt: 1_700_000_000_000,
      closedAt: 1_700_000_000_500,
      filledAtMarketTime: null,
    }
    const stop = { type: 'stop', side: 'sell', status: 'open', filled: 0, stopPrice: 19_000, reduceOnly: true } as const
    const server = realInstallation()
    for (const other of [botDecisions, botBalance, botEquity, botTrades])
      server.on(other, () => {
        throw new Refusal(404, 'not_found', 'Nothing has been done yet.')
      })
    server.on(botOrders, () => [{ ...order, ...stop, id: '01890000-0000-7000-8000-0000000000e2' }, order])
    await openApp(server, `/bots/${granite.id}?tab=orders`)
    const table = await screen.findByRole('table', { name: 'Orders' })
    within(table).getByText('Buy at the market')
    within(table).getByText('Sell at stop, reduce-only')
  })
})
