import { patchBot, rebalanceBot, stopBot } from '@shapecast/contracts/bot-changes'
import { botDecisions } from '@shapecast/contracts/bot-decisions'
import { type BotEvidence, botEvidence } from '@shapecast/contracts/bot-evidence'
import { botRebalances, rebalancePreview } from '@shapecast/contracts/bot-rebalances'
import { type BotResults, botResults } from '@shapecast/contracts/bot-results'
import { botBalance, botEquity, botParity, botTrades, exportTrades } from '@shapecast/contracts/bot-trading'
import { botWeights } from '@shapecast/contracts/bot-weights'
import { type Bot, bots } from '@shapecast/contracts/bots'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { predictCloud } from '@shapecast/contracts/predictions'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { BacktestChartData } from '#charts/backtest-chart/backtest-chart-data.ts'
import { emptyInstallation, openApp } from '../../../testing/render-app.tsx'
import { sampleBot as bot, NO_POSITION, NO_RESULTS } from '../../../testing/sample-bot.ts'

const drawn = vi.hoisted(() => ({ data: [] as unknown[], looks: [] as [number, number][] }))
// What is saved would be opened here.
vi.mock('#wire/calls/save-file.ts', () => ({ saveFile: () => undefined }))
// A canvas draws nothing here.
vi.mock('#charts/backtest-chart/create-backtest-chart.ts', () => ({
  createBacktestChart: (_: HTMLElement, data: unknown) => {
    drawn.data.push(data)
    return { lookAt: (fromMs: number, toMs: number) => drawn.looks.push([fromMs, toMs]), remove: () => undefined }
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
  server.on(botRebalances, () => ({ total: 0, orders: 0, costs: 0, rebalances: [] }))
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
    fees: null,
    funding: null,
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

it('moves the chart to a trade, and hides its trades from it', async () => {
  const server = pageOf(() => bot({ tradingPairs: ['BTCUSDT', 'ETHUSDT'] }))
  const asked: string[] = []
  server.on(ohlcv, ({ params }) => {
    asked.push(params.symbol!)
    return CANDLES
  })
  server.on(botTrades, () => [{ ...TRADE, symbol: 'ETHUSDT' }])
  await openApp(server, `/bots/${bot().id}`)
  fireEvent.click(await screen.findByRole('button', { name: /^Show in the chart: the long trade/ }))
  await waitFor(() => expect(asked).toContain('ETHUSDT'))
  await waitFor(() => expect(drawn.looks.at(-1)).toEqual([TRADE.entryTime, TRADE.exitTime]))
  const markers = () => (drawn.data.at(-1) as BacktestChartData).markers.length
  await waitFor(() => expect(markers()).toBe(2))
  fireEvent.click(screen.getByRole('button', { name: 'Its trades', pressed: true }))
  await waitFor(() => expect(markers()).toBe(0))
})

it('says what it made on average, in which months, and saves the trades of a year', async () => {
  const server = pageOf(() => bot({ totalTrades: 1 }))
  server.on(botTrades, () => [TRADE])
  server.on(botResults, () => ({
    ...NO_RESULTS,
    trades: 4,
    expectancy: 2,
    averageWin: 19,
    averageLoss: -15,
    longestLosingRun: 2,
    fees: 2.5,
    timeInMarketPct: 41.25,
    exposurePct: 20,
    slippage: { paid: 0.8, orders: 3 },
    years: [2024, 2023],
    months: [
      {
        from: Date.UTC(2023, 11, 1),
        to: Date.UTC(2023, 11, 31),
        pnl: 50,
        returnPct: 5,
        holdPct: null,
        maxDrawdownPct: 1.5,
        trades: 3,
      },
      {
        from: Date.UTC(2024, 0, 1),
        to: Date.UTC(2024, 0, 31),
        pnl: -42,
        returnPct: -4,
        holdPct: 7,
        maxDrawdownPct: 6,
        trades: 1,
      },
    ],
  }))
  const years: unknown[] = []
  server.on(exportTrades, ({ query }) => {
    years.push(query.get('year'))
    return ''
  })
  await openApp(server, `/bots/${bot().id}`)
  await screen.findByText(
    'Average win +19.00 · average loss −15.00 · a trade earns +2.00 on average · fees 2.50, all in USDT',
  )
  fireEvent.click(screen.getByRole('button', { name: 'All years' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: '2023' }))
  fireEvent.click(screen.getByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(years).toEqual(['2023']))
  fireEvent.click(screen.getByRole('tab', { name: 'Results' }))
  const results = within(await screen.findByRole('region', { name: 'Results' }))
  for (const [label, value] of [
    ['Expectancy', '+2.00 USDT'],
    ['Longest losing run', '2 trades'],
    ['Time in the market', '41.3%'],
    ['Exposure', '20.0%'],
    ['Slippage against the decision', '−0.80 USDT in 3 orders'],
  ] as const)
    expect(results.getByText(label).closest('div')?.textContent).toContain(value)
  const [, newest, oldest] = within(results.getByRole('table', { name: 'Months' })).getAllByRole('row')
  expect(newest?.textContent).toBe('Jan 2024−42.00−4.00%+7.00%−6.00%1')
  expect(oldest?.textContent).toBe('Dec 2023+50.00+5.00%—−1.50%3')
})

it('shows the decisions that did something first, and counts the others by their reason', async () => {
  const server = pageOf(() => bot())
  const asked: string[] = []
  server.on(botDecisions, ({ query }) => {
    asked.push(query.get('show')!)
    return { summary: null, nextAt: null, decisions: [] }
  })
  server.on(
    botResults,
    (): BotResults => ({
      ...NO_RESULTS,
      decisions: [
        { action: 'held', rule: 'signal', count: 1015 },
        { action: 'no_order', rule: 'below_cost', count: 613 },
        { action: 'opened_long', rule: 'signal', count: 67 },
      ],
    }),
  )
  await openApp(server, `/bots/${bot().id}?tab=decisions`)
  const decisions = await screen.findByRole('region', { name: 'Decisions' })
  await waitFor(() =>
    expect(decisions.textContent).toContain(
      '67 of 1,695 decisions did something. The others: 1,015 kept what it held (Model signal) · 613 Below cost',
    ),
  )
  await within(decisions).findByText('No decision has done anything yet.')
  expect(asked).toContain('orders')
  fireEvent.click(within(decisions).getByRole('button', { name: 'All' }))
  await within(decisions).findByText(/^No decision yet/)
})

it('tells what each cause made of the difference between live and backtest', async () => {
  const server = pageOf(() => bot())
  const differing = { candleTs: START, symbol: 'BTCUSDT', live: null, backtest: TRADE }
  server.on(botParity, () => ({
    from: START,
    to: START + 5 * HOUR,
    candles: 6,
    liveTrades: 3,
    backtestTrades: 5,
    livePnL: 10,
    backtestPnL: 28.36,
    costs: [{ cause: 'model_changed' as const, trades: 2, pnl: -18.36 }],
    differences: [
      { ...differing, cause: 'model_changed' as const, note: 'The model of today would have bought.' },
      { ...differing, candleTs: START + HOUR, cause: 'model_changed' as const, note: 'Again.' },
    ],
  }))
  await openApp(server, `/bots/${bot().id}?tab=parity`)
  fireEvent.click(await screen.findByRole('button', { name: 'Compare' }))
  const causes = within(await screen.findByRole('table', { name: 'Causes of the difference' }))
  const [, cause] = causes.getAllByRole('row')
  expect(cause?.textContent).toMatch(/^Model changed.*The model of today would have bought\.2−18\.36$/)
  const card = screen.getByRole('region', { name: 'Live against backtest' })
  expect(card.textContent).toContain('3 of 5 trades equal')
  expect(card.textContent).toContain('Difference−18.36 USDT')
  expect(card.textContent).toContain('of it not by a change0.00 USDT')
  expect(within(card).getByText('Trade by trade (2)')).toBeTruthy()
})

it('lists its settings and leads to another bot like it', async () => {
  const server = pageOf(() => bot({ tradingPairs: ['BTCUSDT'], parameters: { timeframe: '4h' } }))
  await openApp(server, `/bots/${bot().id}?tab=settings`)
  const settings = await screen.findByRole('region', { name: 'Settings' })
  // What a word means may have come by then, and stands with it.
  for (const words of [/Timeframe.*4h/, /Market.*Futures 10×/, /Max drawdown.*10%/, /Stop loss.*Off/, /Mode.*Virtual/])
    expect(settings.textContent).toMatch(words)
  fireEvent.click(within(settings).getByRole('link', { name: 'Duplicate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Trading Bot' }))
  expect((dialog.getByLabelText('Name') as HTMLInputElement).value).toBe('Northwind copy')
  expect((dialog.getByLabelText('Initial balance') as HTMLInputElement).value).toBe('1000')
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

const DAY = 24 * HOUR
const EVIDENCE: BotEvidence = {
  verdict: 'undecided',
  days: 67,
  differingDays: 60,
  from: Date.UTC(2023, 8, 8),
  decidedAt: null,
  overHolding: 4.9,
  edge: { pctAYear: 9, volatilityPct: 18, years: 32.4 },
  points: [0, 1, 2].map((k) => ({ t: START + k * DAY, better: 1 + 0.45 * k, worse: 1 - 0.4 * k })),
  isPriced: true,
}

it('says whether it is told from luck to be better than holding, and pauses it by that where its owner wants it', async () => {
  let now = bot({ status: 'active', parameters: { policy: 'steady_risk' } })
  const server = pageOf(() => now)
  server.on(botEvidence, () => EVIDENCE)
  const bodies: unknown[] = []
  server.on(patchBot, ({ body }) => {
    bodies.push(body)
    now = { ...now, parameters: { ...now.parameters, pauseWhenWorse: true } }
    return now
  })
  await openApp(server, `/bots/${now.id}?tab=evidence`)
  const card = within(await screen.findByRole('region', { name: 'When will I know?' }))
  await card.findByText('67 days, since 8 Sep 2023')
  card.getByText('undecided')
  card.getByText(/^Not told from luck yet\. Were its edge as it was so far, that would take about 32 years/)
  expect(card.getByText('For: better').parentElement!.parentElement!.textContent).toBe('For: better1.90of 40')
  expect(card.getByText('Over holding as much').parentElement!.textContent).toMatch(/\+4\.90/)
  fireEvent.click(card.getByRole('switch', { name: 'Pause it when it is told to be worse than holding' }))
  await waitFor(() => expect(bodies).toEqual([{ parameters: { policy: 'steady_risk', pauseWhenWorse: true } }]))
})

it.each([
  [{ verdict: 'too_early', differingDays: 6, edge: null }, /^Too early\. .* 30 days .* there are 6\./, 'too early'],
  [
    { verdict: 'worse', decidedAt: Date.UTC(2023, 10, 3) },
    /^Holding as much would .* on 2 Nov 2023\./,
    'worse than holding',
  ],
  [
    { verdict: 'better', decidedAt: Date.UTC(2023, 10, 3) },
    /^It beat holding as much .* on 2 Nov 2023\./,
    'better than holding',
  ],
] as const)('says the answer in words: %o', async (over, words, chip) => {
  const server = pageOf(() => bot())
  server.on(botEvidence, () => ({ ...EVIDENCE, ...over }))
  await openApp(server, `/bots/${bot().id}?tab=evidence`)
  await screen.findByText(words)
  screen.getByText(chip)
})

it('draws the range that its own model forecasts, and none where it asks no model', async () => {
  const model = { symbol: 'BTCUSDT', version: 'v2', follows: false, artifactId: bot().id, hash: 'h', offer: null }
  let models: Bot['models'] = [{ ...model, takesNext: false }]
  const server = pageOf(() => bot({ models }))
  const asked: unknown[] = []
  server.on(ohlcv, () => CANDLES)
  server.on(predictCloud, ({ body }) => {
    asked.push(body)
    const last = CANDLES.at(-1)!
    return {
      symbol: 'BTCUSDT',
      timeframe: '1h' as const,
      version: 'v2',
      hash: 'h',
      method: 'quantile' as const,
      lookback: 30,
      timestamp: last[0],
      current_price: 105,
      points: [{ horizon: 1, time: last[0] + HOUR, q05: 90, q25: 100, q50: 106, q75: 110, q95: 120 }],
      coverage: { holdout: [], live: [] },
    }
  })
  const { unmount } = await openApp(server, `/bots/${bot().id}`)
  await screen.findByText('Range 50% and 90%')
  expect(asked[0]).toEqual({ symbol: 'BTCUSDT', timeframe: '1h', horizon_steps: 6, params: { version: 'v2' } })
  const { future } = drawn.data.at(-1) as BacktestChartData
  expect([future?.label, future?.fan.t, future?.fan.steps[0]?.q95]).toEqual(['Next 6 h', CANDLES.at(-1)![0], 120])
  unmount()
  models = []
  const before = asked.length
  await openApp(server, `/bots/${bot().id}`)
  await screen.findByText(/^Buy and hold/)
  expect([asked.length, screen.queryByText('Range 50% and 90%')]).toEqual([before, null])
})

it('sets weights beside targets, with correlation, shares of the risk, and coins that stand aside', async () => {
  const several = bot({ parameters: { policy: 'trend_ensemble' }, tradingPairs: ['BTCUSDT', 'ETHUSDT', 'OLDUSDT'] })
  const server = pageOf(() => several)
  const weight = { worth: 300, volatilityPct: 41, riskPct: 70, state: 'follows' as const, lastAt: START }
  server.on(botWeights, () => ({
    pairs: [
      { ...weight, symbol: 'BTCUSDT', nowPct: 30, targetPct: 25 },
      { ...weight, symbol: 'ETHUSDT', nowPct: 10, targetPct: null, riskPct: 30, state: 'no_target' as const },
      { ...weight, symbol: 'OLDUSDT', nowPct: 0, targetPct: 20, riskPct: 0, state: 'silent' as const },
    ],
    cashPct: 60,
    equity: 1000,
    volatilityPct: 20.4,
    bandPct: 3.3,
    universe: {
      count: 2,
      since: Date.UTC(2024, 1, 1),
      held: ['BTCUSDT', 'OLDUSDT'],
      came: ['OLDUSDT'],
      left: ['ETHUSDT'],
    },
    correlations: [
      { a: 'ETHUSDT', b: 'BTCUSDT', value: 0.8 },
      { a: 'OLDUSDT', b: 'BTCUSDT', value: 0.4 },
      { a: 'OLDUSDT', b: 'ETHUSDT', value: 0.6 },
    ],
  }))
  await openApp(server, `/bots/${several.id}?tab=weights`)
  const rows = async (name: string) =>
    within(await screen.findByRole('table', { name }))
      .getAllByRole('row')
      .map((row) => row.textContent)
  expect((await rows('Weights'))[1]).toBe('BTC30.0%25.0%+5.0300.0041%70.0%')
  expect(await rows('Correlation')).toEqual(['CorrelationBTCETH', 'ETH0.80', 'OLD0.400.60'])
  screen.getByText('ETH has no target yet: it is decided once enough candles are known.')
  screen.getByText(
    /^OLD has had no candle since .*: its weight is kept until it has one again, or the month ends: then it is sold at its last price\.$/,
  )
  screen.getByText(
    'Held since 1 Feb 2024: BTC, OLD, the 2 most traded of its pairs in the 30 days before. OLD came, ETH left.',
  )
  // 3 / (1 + 2 × 0.6)
  screen.getByText(/Mean 0\.60: 3 coins of one volatility spread the risk like 1\.4 that move apart\./)
})

it('lists the orders of a rebalance with what they cost, makes them once pressed, and then names them', async () => {
  const both = ['BTCUSDT', 'ETHUSDT']
  const server = pageOf(() => bot({ status: 'active', parameters: { policy: 'fixed_share' }, tradingPairs: both }))
  server.on(botWeights, () => NO_WEIGHTS)
  const sale = { symbol: 'BTCUSDT', side: 'sell' as const, quantity: 0.171, price: 109.945, value: 18.8 }
  const orders = [
    { ...sale, fee: 0.011, slippage: 0.009 },
    { ...sale, symbol: 'ETHUSDT', side: 'buy' as const, fee: 0.009, slippage: 0.011 },
  ]
  const planned = { orders, left: [], obstacle: null as string | null, pricedAt: START, fees: 0.02, slippage: 0.02 }
  let shown = {
    ...planned,
    orders: [] as typeof orders,
    left: [{ symbol: 'ETHUSDT', reason: 'It has no target yet.' }],
  }
  server.on(rebalancePreview, () => shown)
  const done = { at: START, cause: 'by_hand' as const, orders, turnoverPct: 3.7, costs: 0.04 }
  const left = [{ symbol: 'SOLUSDT', reason: 'No order: too little.' }]
  const keys: unknown[] = []
  server.on(botRebalances, () =>
    keys.length === 0
      ? { total: 0, orders: 0, costs: 0, rebalances: [] }
      : { total: 1, orders: 2, costs: 0.04, rebalances: [{ ...done, left }] },
  )
  server.on(rebalanceBot, ({ body }) => {
    keys.push(body)
    return bot()
  })
  await openApp(server, `/bots/${bot().id}?tab=weights`)
  await screen.findByText('It has not been rebalanced yet: it decides once a day.')
  fireEvent.click(screen.getByRole('button', { name: 'Rebalance now' }))
  const empty = await screen.findByRole('dialog', { name: /^Rebalance .* now\?$/ })
  await within(empty).findByText('Nothing to do: no coin is further from its target than the smallest order.')
  within(empty).getByText('ETH: It has no target yet.')
  expect(within(empty).getByRole('button', { name: 'Rebalance' })).toHaveProperty('disabled', true)
  fireEvent.click(within(empty).getByRole('button', { name: 'Cancel' }))

  shown = { ...planned, left: [] }
  fireEvent.click(screen.getByRole('button', { name: 'Rebalance now' }))
  const dialog = await screen.findByRole('dialog', { name: /^Rebalance .* now\?$/ })
  const press = await within(dialog).findByRole('button', { name: 'Make 2 orders' })
  expect(within(dialog).getByRole('table', { name: 'Orders' }).textContent).toContain('Sell BTC0.171')
  expect(dialog.textContent).toContain(
    'About 0.04 USDT, of which 0.02 are fees and the rest slippage. Sales come first',
  )
  fireEvent.click(press)
  await waitFor(() => expect(keys).toEqual([{}]))
  const table = await screen.findByRole('table', { name: 'Rebalances' })
  expect(within(table).getAllByRole('row')[1]!.textContent).toContain(
    'BTC sold, ETH boughtSOL: No order: too little.By hand',
  )
})

const NO_WEIGHTS = {
  universe: null,
  pairs: [],
  cashPct: 100,
  equity: 1000,
  volatilityPct: null,
  bandPct: 2.5,
  correlations: [],
}

const HELD = {
  symbol: 'BTCUSDT',
  side: 'long' as const,
  quantity: 0.02,
  entryPrice: 50_000,
  entryTime: START,
  markPrice: 51_000,
  worth: 1020,
  markedBy: 'last' as const,
  unrealizedPnL: 20,
  margin: 500,
  takeProfitPrice: 53_000,
  stopLossPrice: 48_500,
  liquidationPrice: 26_000,
  fees: 0.6,
  funding: -1.4,
}

it('tells what a position has made after its fees and funding, its orders, and how sure its win rate is', async () => {
  const server = pageOf(() =>
    bot({ marketType: 'futures', leverage: 2, tradingPairs: ['BTCUSDT'], totalTrades: 38, winningTrades: 19 }),
  )
  server.on(botBalance, () => ({
    ...NO_POSITION,
    equity: 1000,
    winInterval: [0.348, 0.652] as [number, number],
    positions: [HELD],
  }))
  const sides: unknown[] = []
  server.on(botTrades, ({ query }) => {
    sides.push(query.get('side'))
    return [TRADE]
  })
  server.on(ohlcv, () => CANDLES)
  await openApp(server, `/bots/${bot().id}`)
  const card = await screen.findByRole('region', { name: 'Open position' })
  await within(card).findByText('+18.00', { exact: false })
  for (const [label, value] of [
    ['Worth now', '1.02× equity 1,020.00 USDT'],
    ['Margin', 'at 2× 500.00 USDT'],
    ['Fees so far', 'in open P&L −0.60 USDT'],
    ['Funding so far', 'in open P&L −1.40 USDT'],
  ] as const)
    expect(within(card).getByText(label).closest('div')?.textContent).toContain(value)
  const orders = within(card).getByRole('region', { name: 'Its orders' })
  expect(orders.textContent).toContain('TargetSell 0.02 BTC53,000.0+3.92%')
  expect(orders.textContent).toContain('StopSell 0.02 BTC48,500.0−4.90%')
  screen.getByText('Won 50.0% · 95% CI 34.8–65.2%')
  const table = await screen.findByRole('table', { name: 'Trades' })
  expect(within(table).getAllByRole('row')[1]?.textContent).toMatch(/open.*\+2\.00%.*\+18\.00/)
  fireEvent.click(screen.getByRole('button', { name: 'Short' }))
  await waitFor(() => expect(sides).toContain('short'))
  await waitFor(() => expect(within(table).queryByText('open')).toBeNull())
})

it('says since when nothing is held, and tells the prices of the newest candle in the head of the chart', async () => {
  const server = pageOf(() => bot({ lastTradeAt: START }))
  server.on(ohlcv, () => CANDLES)
  await openApp(server, `/bots/${bot().id}`)
  await screen.findByText(/^Flat since 14 Nov, \d\d:00 UTC$/)
  await screen.findByText('1,062.40 USDT are free.', { exact: false })
  const prices = await screen.findByText(
    (_, element) => element?.textContent === 'O 100.0H 120.0L 90.0C 105.0' && element.hasAttribute('aria-hidden'),
  )
  expect(prices.getAttribute('aria-hidden')).toBe('true')
})

it('says why it does not trade now and when it decides next', async () => {
  const server = pageOf(() => bot({ status: 'active' }))
  const decision = {
    id: '01890000-0000-7000-8000-0000000000d1',
    symbol: 'BTCUSDT',
    candleTs: START,
    votes: [],
    rule: 'below_cost' as const,
    signal: 'HOLD' as const,
    action: 'no_order' as const,
    target: null,
    reason: 'Expected edge 4 bps, below the cost of 22 bps.',
    orderId: null,
    price: null,
    netPnL: null,
    decidedAt: START + HOUR,
  }
  server.on(botDecisions, () => ({
    summary: '61 of the last 72 candles.',
    nextAt: 1_700_003_600_000,
    decisions: [decision],
  }))
  await openApp(server, `/bots/${bot().id}`)
  const why = await screen.findByRole('region', { name: 'Why it does not trade now' })
  expect(why.textContent).toContain('Expected edge 4 bps, below the cost of 22 bps.61 of the last 72 candles.')
  expect(why.textContent).toMatch(/Next decisionin 1 h/)
})
