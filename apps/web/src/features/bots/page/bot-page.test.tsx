// @vitest-environment happy-dom
import { stopBot } from '@shapecast/contracts/bot-changes'
import { botDecisions } from '@shapecast/contracts/bot-decisions'
import { botBalance, botEquity, botTrades } from '@shapecast/contracts/bot-trading'
import { type Bot, bots } from '@shapecast/contracts/bots'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { BacktestChartData } from '#charts/backtest-chart/backtest-chart-data.ts'
import { emptyInstallation, openApp } from '../../../testing/render-app.tsx'
import { sampleBot as bot, NO_POSITION } from '../../../testing/sample-bot.ts'

const drawn = vi.hoisted(() => ({ data: [] as unknown[] }))
// A canvas draws nothing here.
vi.mock('#charts/backtest-chart/create-backtest-chart.ts', () => ({
  createBacktestChart: (_: HTMLElement, data: unknown) => {
    drawn.data.push(data)
    return { lookAt: () => undefined, remove: () => undefined }
  },
}))

const HOUR = 3_600_000
// The market's clock stands at 1.7e12.
const START = 1_700_000_000_000 - (1_700_000_000_000 % HOUR) - 10 * HOUR
const TRADE = {
  id: '01890000-0000-7000-8000-0000000000f1',
  symbol: 'BTCUSDT',
  side: 'long' as const,
  entryTime: START + HOUR,
  exitTime: START + 3 * HOUR,
  entryPrice: 100,
  exitPrice: 110,
  quantity: 1,
  netPnL: 9.18,
  fees: 0.4,
  funding: 0,
  exitReason: 'stopped' as const,
}
const CANDLES = Array.from({ length: 6 }, (_, i): CandleRow => [START + i * HOUR, 100, 120, 90, 105, 1])

function pageOf(now: () => Bot) {
  const server = emptyInstallation()
  server.on(bots, () => [now()])
  server.on(botTrades, () => [])
  server.on(botDecisions, () => ({ summary: null, nextAt: null, decisions: [] }))
  server.on(botEquity, () => ({ initialBalance: 1000, points: [], hold: [] }))
  server.on(botBalance, () => NO_POSITION)
  return server
}

it('shows what a stop has closed at once', async () => {
  let status: Bot['status'] = 'active'
  const server = pageOf(() => bot({ status }))
  server.on(botTrades, () => (status === 'active' ? [] : [TRADE]))
  server.on(stopBot, () => {
    status = 'stopped'
    return bot({ status })
  })
  await openApp(server, `/bots/${bot().id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  await within(await screen.findByRole('table', { name: 'Trades' })).findByText('Stopped')
})

it('draws its trades on the candles of a pair, with what was paid, its stop and its target', async () => {
  const server = pageOf(() => bot({ tradingPairs: ['BTCUSDT', 'ETHUSDT'], maxDrawdown: 15 }))
  const asked: string[] = []
  server.on(ohlcv, ({ params }) => {
    asked.push(params.symbol!)
    return CANDLES
  })
  server.on(botTrades, () => [{ ...TRADE, symbol: 'ETHUSDT' }, TRADE])
  const position = {
    symbol: 'BTCUSDT',
    side: 'long' as const,
    quantity: 0.01,
    entryPrice: 100,
    entryTime: START + 4 * HOUR,
    markPrice: 105,
    worth: 1.05,
    markedBy: 'last' as const,
    unrealizedPnL: 0.05,
    margin: 0,
    takeProfitPrice: 106,
    stopLossPrice: 97,
    liquidationPrice: null,
  }
  server.on(botBalance, () => ({ ...NO_POSITION, positions: [position] }))
  await openApp(server, `/bots/${bot().id}`)
  await waitFor(() => {
    const { markers, levels, maxDrawdownPct } = drawn.data.at(-1) as BacktestChartData
    expect(markers.map(({ kind, index, price }) => [kind, index, price])).toEqual([
      ['long_entry', 1, 100],
      ['profit_exit', 3, 110],
      ['long_entry', 4, 100],
    ])
    expect(levels.map(({ name, price }) => [name, price])).toEqual([
      ['Average entry', 100],
      ['Target +6.00%', 106],
      ['Stop −3.00%', 97],
    ])
    expect(maxDrawdownPct).toBe(15)
  })
  fireEvent.click(screen.getByRole('button', { name: 'BTCUSDT' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'ETHUSDT' }))
  await waitFor(() => expect(asked.at(-1)).toBe('ETHUSDT'))
})

it('says that a bot does not exist where the address names none', async () => {
  await openApp(
    pageOf(() => bot()),
    '/bots/01890000-0000-7000-8000-0000000000ff',
  )
  await screen.findByText('This bot does not exist, or its owner keeps it private')
  fireEvent.click(screen.getByRole('button', { name: 'Back to the bots' }))
  await screen.findByRole('article', { name: 'Northwind' })
})
