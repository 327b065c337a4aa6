import { closePosition, pauseBot, stopBot } from '@shapecast/contracts/bot-changes'
import { botEquity } from '@shapecast/contracts/bot-trading'
import { bots } from '@shapecast/contracts/bots'
import { ticker } from '@shapecast/contracts/market'
import { exportBotPositions, exportBots, portfolio } from '@shapecast/contracts/portfolio'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { saveFile } from '#wire/calls/save-file.ts'
import { Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, openApp } from '../../../testing/render-app.tsx'
import { sampleBot as bot } from '../../../testing/sample-bot.ts'
import '../../../testing/tokens.ts'

vi.mock('#charts/equity-overlay.tsx', () => ({ EquityOverlay: ({ summary }: { summary: string }) => summary }))
vi.mock('#wire/calls/save-file.ts', () => ({ saveFile: vi.fn() }))

const [A, B, C] = ['a', 'b', 'c'].map((last) => `01890000-0000-7000-8000-0000000000${last}0`) as [
  string,
  string,
  string,
]
const HELD = {
  symbol: 'BTCUSDT',
  side: 'long' as const,
  quantity: 0.02,
  entryPrice: 50_000,
  entryTime: 0,
  takeProfitPrice: null,
  stopLossPrice: null,
  markPrice: 60_000,
  worth: 1200,
  unrealizedPnL: 200,
  closing: false,
}
const LIST = [
  bot({ id: A, name: 'Ash', status: 'active', currentBalance: 1300, totalPnL: 300, openPnL: 200, positions: [HELD] }),
  bot({ id: B, name: 'Beech', status: 'paused', currentBalance: 900, totalPnL: -100 }),
  bot({ id: C, name: 'Cedar', userId: '01890000-0000-7000-8000-000000000009', visibility: 'public' }),
]
const HISTORY = {
  points: [
    { t: 0, pct: 0 },
    { t: 3_600_000, pct: 4.5 },
  ],
  hold: [
    { t: 0, pct: 0 },
    { t: 3_600_000, pct: 6 },
  ],
  drawdownPct: 0,
  worstDrawdownPct: 2.5,
}

afterEach(() => {
  vi.mocked(saveFile).mockClear()
  for (const key of ['bots-look', 'bots-columns']) window.localStorage.removeItem(key)
})

async function openTable(server = emptyInstallation(), list = LIST) {
  server.on(bots, () => list)
  await openApp(server, '/trading')
  fireEvent.click(await screen.findByRole('button', { name: 'Table' }))
  return screen.findByRole('table', { name: 'Bots' })
}
const namesIn = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent)
    .filter((name) => !name.includes('together'))

it('says how all bots did together, beside their pairs held', async () => {
  const server = emptyInstallation()
  const asked: (string | null)[] = []
  server.on(bots, () => LIST)
  server.on(portfolio, ({ query }) => {
    asked.push(query.get('span'))
    return { virtual: HISTORY, real: null, courses: [] }
  })
  await openApp(server, '/trading')
  await screen.findByRole('img', { name: 'All bots +4.50% in 30 days, their pairs held +6.00%' })
  const together = screen.getByRole('region', { name: 'Together' })
  within(together).getByText('Worst in 30 days −2.50%')
  within(together).getByText('Closed +124.80 · open +200.00')
  within(screen.getByRole('list', { name: 'Exposure by coin' })).getByText('55%')
  fireEvent.click(screen.getByRole('button', { name: 'All' }))
  await screen.findByRole('img', { name: /so far/ })
  expect(asked).toEqual(['30d', 'all'])
})

it('sets each bot beside its pairs held and beside its drawdown limit, on cards and in the table', async () => {
  const server = emptyInstallation()
  server.on(bots, () => LIST)
  server.on(portfolio, () => ({
    virtual: HISTORY,
    real: null,
    courses: [
      { botId: A, values: [1000, 1300], holdPct: 41.28, drawdownPct: 8.95 },
      { botId: B, values: [1000, 900], holdPct: null, drawdownPct: 5 },
    ],
  }))
  await openApp(server, '/trading')
  await within(await screen.findByRole('article', { name: 'Ash' })).findByText('Hold +41.28%')
  within(screen.getByRole('article', { name: 'Beech' })).getByText('Hold —')
  fireEvent.click(screen.getByRole('button', { name: 'Table' }))
  const table = await screen.findByRole('table', { name: 'Bots' })
  const heads = within(table)
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
  const cells = (name: string) => {
    const row = within(table)
      .getByRole('rowheader', { name: new RegExp(`^${name}`) })
      .closest('tr')!
    return ['Hold', 'Drawdown'].map((head) => row.children[heads.indexOf(head)]!)
  }
  const [hold, drawdown] = cells('Ash')
  expect([hold!.textContent, drawdown!.textContent]).toEqual(['+41.28%', '−8.95%'])
  // 8.95 of 10 %.
  expect(drawdown!.querySelector<HTMLElement>('[aria-hidden] > span')?.style.width).toBe('89.5%')
  expect(cells('Cedar').map((cell) => cell.textContent)).toEqual(['—', '—'])
})

it('saves the shown rows in their order', async () => {
  const server = emptyInstallation()
  const asked: unknown[] = []
  server.on(exportBots, ({ body }) => {
    asked.push(body)
    return ''
  })
  await openTable(server, [LIST[1]!, LIST[0]!])
  fireEvent.click(screen.getByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce())
  // The larger first.
  expect(asked).toEqual([{ ids: [A, B] }])
})

it('lists what all own bots hold, and saves it', async () => {
  const server = emptyInstallation()
  server.on(bots, () => LIST)
  server.on(exportBotPositions, () => '')
  await openApp(server, '/trading')
  const table = await screen.findByRole('table', { name: 'Open positions' })
  expect(within(table).getAllByRole('row')).toHaveLength(2)
  fireEvent.click(
    within(screen.getByRole('region', { name: 'Open positions' })).getByRole('button', {
      name: 'CSV of the positions',
    }),
  )
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce())
  fireEvent.click(within(table).getByRole('button', { name: 'Ash' }))
  await waitFor(() => expect(window.location.search).toBe(`?bot=${A}`))
})

it('adds up several virtual positions at the foot of their table, and leaves real money out', async () => {
  const server = emptyInstallation()
  const [ash] = LIST.filter(({ positions }) => positions.length > 0)
  const held = { ...ash!.positions[0]!, worth: 1_000, unrealizedPnL: 10 }
  const short = { ...held, symbol: 'ETHUSDT', side: 'short' as const, worth: 500, unrealizedPnL: -3 }
  const real = { ...ash!, id: B, isVirtual: false, positions: [held] }
  server.on(bots, () => [{ ...ash!, positions: [held, short] }, real])
  await openApp(server, '/trading')
  const table = await screen.findByRole('table', { name: 'Open positions' })
  const sums = within(table).getByRole('row', { name: /^Virtual together/ })
  expect(sums.textContent).toBe(
    'Virtual together 2 positions · long 1,000.00, short 500.00 · real money apart1,500.00+7.00',
  )
})

it('closes one position of a bot, asks before with the price, and sends the same request again after a lost answer', async () => {
  const server = emptyInstallation()
  const asked: unknown[] = []
  const keys = new Set<string | null>()
  server.on(bots, () => LIST)
  server.on(ticker, () => ({ symbol: 'BTCUSDT', last: 61_000, change: 0, percentage: 0, timestamp: 0 }))
  server.on(closePosition, ({ params, body, headers }) => {
    asked.push([params.id, body])
    keys.add(headers.get('idempotency-key'))
    if (asked.length === 1) throw new Refusal(503, 'venue_unreachable', 'The market does not answer.')
    return LIST[0]!
  })
  await openApp(server, '/trading')
  fireEvent.click(await screen.findByRole('button', { name: 'Close: Ash, BTCUSDT' }))
  const dialog = await screen.findByRole('dialog', { name: 'Close the long of Ash?' })
  within(dialog).getByText(/may open again at its next decision, at the next 1h close/)
  await within(dialog).findByText('1,220.00 USDT')
  within(dialog).getByText('+220.00 USDT')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close position' }))
  await within(dialog).findByText('The market does not answer.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close position' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked).toEqual(Array(2).fill([A, { symbol: 'BTCUSDT' }]))
  expect([keys.size, keys.has(null)]).toEqual([1, false])
})

it('says of a position that is being closed that it is, and does not ask again', async () => {
  const server = emptyInstallation()
  let list = LIST
  server.on(bots, () => list)
  server.on(closePosition, () => {
    list = LIST.map((each) => ({ ...each, positions: each.positions.map((held) => ({ ...held, closing: true })) }))
    return list[0]!
  })
  await openApp(server, '/trading')
  fireEvent.click(await screen.findByRole('button', { name: 'Close: Ash, BTCUSDT' }))
  const dialog = await screen.findByRole('dialog', { name: 'Close the long of Ash?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close position' }))
  const button = await screen.findByRole('button', { name: 'Closing: Ash, BTCUSDT' })
  expect(button).toHaveProperty('disabled', true)
  expect(screen.queryByRole('button', { name: 'Close: Ash, BTCUSDT' })).toBeNull()
})

it('adds up own bots with the same kind of money at the foot of the table', async () => {
  const table = await openTable(emptyInstallation(), [
    ...LIST,
    bot({ id: `${A.slice(0, -2)}d0`, name: 'Real', isVirtual: false, currentBalance: 5000 }),
  ])
  const sums = within(table).getByRole('row', { name: /^Virtual together 2 bots of mine/ })
  // 1,300 + 900 of 1,000 + 1,000, without Cedar, which is somebody else's, and without real money.
  within(sums).getByText('2,200.00')
  within(sums).getByText('+10.00%')
  within(sums).getByText('+200.00')
  within(sums).getByText('1 position')
  expect(within(table).queryByText(/^Real money together/)).toBeNull()
})

it('shows the columns that were chosen, and remembers them', async () => {
  const table = await openTable()
  const heads = () =>
    within(screen.getByRole('table', { name: 'Bots' }))
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
  expect(heads()).toContain('Win rate')
  expect(heads()).not.toContain('Closed P&L')
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Win rate' }))
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Closed P&L' }))
  expect(screen.getByRole('menuitemcheckbox', { name: 'Closed P&L' }).getAttribute('aria-checked')).toBe('true')
  expect(table.isConnected).toBe(true)
  cleanup()
  await openTable()
  expect(heads()).toContain('Closed P&L')
  expect(heads()).not.toContain('Win rate')
})

it('compares chosen bots from the close at which all had begun, and says why they can hardly be compared', async () => {
  const server = emptyInstallation()
  const DAY = 86_400_000
  const points = (first: number, ...equity: number[]) => equity.map((one, i) => ({ t: (first + i) * DAY, equity: one }))
  server.on(botEquity, ({ params }) => ({
    initialBalance: 1000,
    points: params.id === A ? points(0, 1000, 1100, 1250, 1300) : points(2, 1000, 900),
    hold: [],
  }))
  const table = await openTable(server)
  fireEvent.click(within(table).getByRole('checkbox', { name: 'Choose Ash' }))
  const bar = screen.getByRole('toolbar', { name: 'Bots that are chosen' })
  expect(within(bar).getByRole<HTMLButtonElement>('button', { name: 'Compare' }).disabled).toBe(true)
  fireEvent.click(within(table).getByRole('checkbox', { name: 'Choose Beech' }))
  fireEvent.click(within(bar).getByRole('button', { name: 'Compare' }))
  const dialog = within(await screen.findByRole('dialog', { name: '2 bots compared' }))
  // 1,300 of 1,250, and 900 of 1,000.
  await dialog.findByText('Ash +4.00%, Beech −10.00%')
  dialog.getByText(/^They did not begin together: all counts from 3 Jan 1970, 00:00.*, when Beech began/)
  dialog.getByText(/^1 day together: too short to tell skill from luck/)
  expect(new URLSearchParams(window.location.search).get('compare')).toBe(`${A},${B}`)
})

it('chooses all own bots at once where they are cards, to pause or stop them', async () => {
  const server = emptyInstallation()
  server.on(bots, () => LIST)
  await openApp(server, '/trading')
  fireEvent.click(await screen.findByRole('button', { name: 'Cards' }))
  fireEvent.click(screen.getByRole('button', { name: 'Choose all that run' }))
  const bar = within(screen.getByRole('toolbar', { name: 'Bots that are chosen' }))
  bar.getByText('2 selected')
  bar.getByRole('button', { name: 'Pause 1' })
  bar.getByRole('button', { name: 'Stop 2' })
})

it('sorts the table by a head, the other way round at the second press, and keeps it in the address', async () => {
  const table = await openTable()
  expect(namesIn(table)).toEqual(['Ash', 'Beech', 'CedarRead Only'])
  fireEvent.click(within(table).getByRole('button', { name: 'Equity, USDT' }))
  fireEvent.click(within(table).getByRole('button', { name: 'Equity, USDT' }))
  expect(namesIn(table)).toEqual(['Beech', 'CedarRead Only', 'Ash'])
  expect(within(table).getByRole('columnheader', { name: 'Equity, USDT' }).getAttribute('aria-sort')).toBe('ascending')
  expect(window.location.search).toBe('?sort=-equity')
})

it('finds bots by name, pair and state, and shows all again', async () => {
  const table = await openTable()
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search bots by name or pair' }), { target: { value: 'bee' } })
  expect(namesIn(table)).toEqual(['Beech'])
  fireEvent.click(screen.getByRole('button', { name: 'Active 1' }))
  screen.getByText(/No bot is like that/)
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(namesIn(await screen.findByRole('table', { name: 'Bots' }))).toHaveLength(3)
})

it('pauses and stops several own bots, asks once what becomes of positions, and names what failed', async () => {
  const server = emptyInstallation()
  const asked: unknown[] = []
  server.on(pauseBot, ({ params }) => {
    asked.push(params.id)
    throw new Refusal(409, 'conflict', 'It is closing its position.')
  })
  server.on(stopBot, ({ params, body }) => {
    asked.push([params.id, body])
    return bot()
  })
  const table = await openTable(server)
  expect(within(table).queryByRole('checkbox', { name: 'Choose Cedar' })).toBeNull()
  fireEvent.click(within(table).getByRole('checkbox', { name: 'Choose all of my bots that run' }))
  const bar = screen.getByRole('toolbar', { name: 'Bots that are chosen' })
  within(bar).getByText('2 selected')
  fireEvent.click(within(bar).getByRole('button', { name: 'Pause 1' }))
  await screen.findByText('Ash: It is closing its position.')
  fireEvent.click(within(bar).getByRole('button', { name: 'Stop 2' }))
  const dialog = await screen.findByRole('dialog', { name: 'Stop 2 bots?' })
  within(dialog).getByText('Ash holds a position.')
  fireEvent.click(within(dialog).getByRole('radio', { name: /^Close them now/ }))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stop and close' }))
  await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Bots that are chosen' })).toBeNull())
  expect(asked).toEqual([A, [A, { position: 'sell' }], [B, { position: 'sell' }]])
})
