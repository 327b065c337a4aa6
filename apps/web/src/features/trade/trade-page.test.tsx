import {
  balance,
  cancelOrder,
  cancelOrders,
  changeGuards,
  type Order,
  orders,
  type Position,
  placeOrder,
  positions,
} from '@shapecast/contracts/accounts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, openApp } from '../../testing/render-app.tsx'
import { VIRTUAL_BALANCE } from '../../testing/sample-account.ts'
import '../../testing/tokens.ts'

const ORIGIN = { isVirtual: true, venue: 'simulated', market: 'simulated' as const }
const LIMIT: Order = {
  ...ORIGIN,
  id: '01890000-0000-7000-8000-0000000000e1',
  clientOrderId: 'x',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  status: 'open',
  statusReason: null,
  amount: 0.01,
  filled: 0,
  price: 65_000,
  stopPrice: null,
  reduceOnly: false,
  average: null,
  fee: 0,
  pnl: null,
  source: 'user',
  createdAt: 1_700_000_000_000,
  closedAt: null,
  filledAtMarketTime: null,
}
const REAL: Order = { ...LIMIT, id: '01890000-0000-7000-8000-0000000000e2', isVirtual: false, network: 'testnet' }

afterEach(() => window.localStorage.removeItem('tradeTicket'))

const HELD = {
  ...ORIGIN,
  symbol: 'BTCUSDT',
  side: 'long' as const,
  quantity: 0.025,
  entryPrice: 66_120,
  cost: 1653,
  lastPrice: 67_412.3,
  lastPriceAt: 1_700_000_000_000,
  unrealisedPnl: 32.31,
  stopLoss: 64_000,
  openedAt: 1_699_000_000_000,
}
const STOP: Order = {
  ...LIMIT,
  id: '01890000-0000-7000-8000-0000000000e3',
  side: 'sell',
  type: 'stop',
  price: null,
  stopPrice: 64_000,
}

async function openTicket(list: readonly Order[] = [], held: readonly Position[] = []) {
  const server = emptyInstallation()
  server.on(balance, () => VIRTUAL_BALANCE)
  server.on(positions, () => [...held])
  server.on(orders, ({ query }) =>
    list.filter(
      ({ isVirtual, status }) =>
        query.get('isVirtual') === String(isVirtual) && (query.get('state') === 'open') === (status === 'open'),
    ),
  )
  await openApp(server, '/trade')
  await screen.findByText('Balance 10,000.00')
  return server
}
const type = (label: string, value: string) => {
  const field = screen.getByRole('spinbutton', { name: label })
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}

it('says what a purchase costs, asks once, and sends it once, by one key, though the first answer is lost', async () => {
  const server = await openTicket()
  const sent: unknown[] = []
  const keys = new Set<string | null>()
  server.on(placeOrder, ({ body, headers }) => {
    sent.push(body)
    keys.add(headers.get('idempotency-key'))
    if (sent.length === 1) throw new Refusal(503, 'venue_unreachable', 'The market does not answer.')
    return { ...LIMIT, type: 'market' as const, status: 'filled' as const, amount: 0.01, average: 67_446 }
  })
  type('Size', '0.01')
  type('Stop loss optional', '66000')
  type('Take profit optional', '70000')
  // 0.01 × 67,412.3 × 1.0005, and 6 bps of that.
  await screen.findByText('674.86 USDT')
  screen.getByText('−2.10%, would lose 15.59 USDT')
  fireEvent.click(screen.getByRole('button', { name: 'Buy 0.01000 BTC' }))
  const dialog = await screen.findByRole('dialog', { name: 'Buy 0.01000 BTC?' })
  within(dialog).getByText(/Virtual account/)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Buy 0.01000 BTC' }))
  await within(dialog).findByText('The market does not answer.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Buy 0.01000 BTC' }))
  await screen.findByText('Bought 0.01000 BTC at 67,446.0.')
  const body = {
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    amount: 0.01,
    stopLoss: 66_000,
    takeProfit: 70_000,
    isVirtual: true,
  }
  expect(sent).toEqual([body, body])
  expect([keys.size, keys.has(null)]).toEqual([1, false])
})

it('says beside the fields what is wrong, in demands, and sends nothing', async () => {
  await openTicket()
  type('Size', '1')
  await screen.findByText(/Must be at most 0.14817 BTC: 10,000.00 USDT are free/)
  screen.getByRole('button', { name: 'Use 0.14817' })
  type('Stop loss optional', '68000')
  await screen.findByText('Must be below the price of 67,412.3')
  fireEvent.click(screen.getByRole('button', { name: 'Buy 1.00000 BTC' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Use 0.14817' }))
  await screen.findByText(/100\.0% of what is free$/)
  expect(screen.queryByText(/Must be at most/)).toBeNull()
})

it('says whether a limit waits for its price or is filled at once', async () => {
  await openTicket()
  fireEvent.click(screen.getByRole('button', { name: 'Limit' }))
  type('Price', '65000')
  await screen.findByText('Waits until the price falls to 65,000.0, or until you cancel it.')
  fireEvent.click(screen.getByRole('button', { name: 'Sell' }))
  await screen.findByText('The price is there already: the order is filled at once.')
})

it('takes a share of what is free, and sends without a question where none is wanted', async () => {
  const server = await openTicket()
  const sent: unknown[] = []
  server.on(placeOrder, ({ body }) => {
    sent.push(body)
    return LIMIT
  })
  fireEvent.click(screen.getByRole('switch', { name: 'Ask before it is sent' }))
  fireEvent.click(screen.getByRole('button', { name: '25%' }))
  await screen.findByText(/≈ 2,496.95/)
  fireEvent.click(screen.getByRole('button', { name: /^Buy 0.03/ }))
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ quoteAmount: 2500, type: 'market' })]))
})

it('shows virtual orders alone, and cancels one', async () => {
  const server = await openTicket([LIMIT, REAL])
  const cancelled: string[] = []
  server.on(cancelOrder, ({ params }) => {
    cancelled.push(params.id!)
    return { ...LIMIT, status: 'cancelled' as const }
  })
  const table = await screen.findByRole('table', { name: 'Open orders' })
  expect(within(table).getAllByRole('row')).toHaveLength(2)
  fireEvent.click(within(table).getByRole('button', { name: /^Cancel: Buy limit, BTCUSDT/ }))
  await waitFor(() => expect(cancelled).toEqual([LIMIT.id]))
})

it('cancels all open orders of the shown account after a question, and says which are still open', async () => {
  const server = await openTicket([LIMIT, STOP, REAL])
  const asked: (string | null)[] = []
  server.on(cancelOrders, ({ query }) => {
    asked.push(query.get('isVirtual'))
    const failed = asked.length === 1 ? [{ id: STOP.id, error: 'The exchange does not answer.' }] : []
    return { cancelled: [LIMIT.id], failed }
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel all' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel 2 open orders?' })
  within(dialog).getByText(/1 of them is a stop or target: what they guard stays without them/)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel all' }))
  await within(dialog).findByText('Still open: 1 order. The exchange does not answer.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel all' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked).toEqual(['true', 'true'])
})

it('changes stop and target of a position, and refuses one on the wrong side of the price', async () => {
  const server = await openTicket([STOP], [HELD])
  const sent: unknown[] = []
  server.on(changeGuards, ({ body }) => {
    sent.push(body)
    return []
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Edit stop and target: BTCUSDT' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop and target of 0.02500 BTC' }))
  const write = (label: string, value: string) => {
    const field = dialog.getByRole('spinbutton', { name: label })
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  }
  // 0.025 × (64,000 − 66,120).
  dialog.getByText('would make −53.00 USDT, before fees')
  write('Stop loss optional', '70000')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText('Must be below the price of 67,412.3')
  write('Stop loss optional', '65000')
  write('Take profit optional', '72000')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([{ symbol: 'BTCUSDT', stopLoss: 65_000, takeProfit: 72_000 }])
})

it('sells all of a position after a question, once by one key', async () => {
  const server = await openTicket([], [HELD])
  const sent: unknown[] = []
  server.on(placeOrder, ({ body, headers }) => {
    sent.push([body, headers.get('idempotency-key') !== null])
    return { ...LIMIT, side: 'sell' as const, status: 'filled' as const }
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Close: BTCUSDT' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Sell 0.02500 BTC?' }))
  dialog.getByText('1,685.31 USDT')
  fireEvent.click(dialog.getByRole('button', { name: 'Sell 0.02500 BTC' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const body = { symbol: 'BTCUSDT', side: 'sell', type: 'market', amount: 0.025, isVirtual: true }
  expect(sent).toEqual([[body, true]])
})

const ETHER: Position = { ...HELD, symbol: 'ETHUSDT', quantity: 0.4, lastPrice: 3_000, unrealisedPnl: -12 }

it('adds up several positions at the foot of their table', async () => {
  await openTicket([], [HELD, ETHER])
  // 0.025 × 67,412.3 + 0.4 × 3,000, and 32.31 − 12.
  expect((await screen.findByRole('row', { name: /^Together/ })).textContent).toBe('Together2,885.31+20.31')
})

it('adds up nothing where one price is not known', async () => {
  await openTicket([], [HELD, { ...ETHER, lastPrice: null, unrealisedPnl: null }])
  expect((await screen.findByRole('row', { name: /^Together/ })).textContent).toBe('Together——')
})

it.each(['%00', 'BTC-USDT', ''])(
  'asks nothing of a market that the address "%s" cannot mean, and leads to one',
  async (symbol) => {
    const server = emptyInstallation()
    await openApp(server, `/trade?symbol=${symbol}`)
    await screen.findByRole('heading', { level: 1, name: 'The address names no market' })
    expect(screen.getByRole('link', { name: 'Trade BTCUSDT' }).getAttribute('href')).toBe('/trade')
    expect(server.calls.filter((call) => /orders|positions|candles|ticker/.test(call))).toEqual([])
  },
)
