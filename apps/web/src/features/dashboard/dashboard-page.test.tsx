import { balance, orders, positions } from '@shapecast/contracts/accounts'
import { backtestRuns } from '@shapecast/contracts/backtest'
import { bots } from '@shapecast/contracts/bots'
import {
  type ChartLine,
  ChartLines,
  chartLines,
  keepChartLines,
  keepWatchlist,
  type WatchedSeries,
  Watchlist,
  watchlist,
} from '@shapecast/contracts/charts'
import { health, ohlcv, ticker } from '@shapecast/contracts/market'
import { mlHealth } from '@shapecast/contracts/ml'
import { portfolio } from '@shapecast/contracts/portfolio'
import { predict, predictions } from '@shapecast/contracts/predictions'
import { tasks } from '@shapecast/contracts/tasks'
import { trackRecord } from '@shapecast/contracts/track-record'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPriceChart } from '#charts/price-chart/create-price-chart.ts'
import { drawnStyle } from '../../testing/drawn-style.ts'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, openApp, readAgain, SIMULATED } from '../../testing/render-app.tsx'
import { VIRTUAL_BALANCE } from '../../testing/sample-account.ts'
import { sampleBot } from '../../testing/sample-bot.ts'
import { sampleRecord } from '../../testing/sample-record.ts'
import '../../testing/tokens.ts'
import { sampleMetrics, sampleRun } from '../../testing/sample-run.ts'

// A canvas draws nothing here.
vi.mock('#charts/price-chart/create-price-chart.ts', () => ({
  createPriceChart: vi.fn(() => ({
    show: () => undefined,
    relabel: () => undefined,
    reset: () => undefined,
    moved: () => null,
    draw: () => undefined,
    picture: () => document.createElement('canvas'),
    remove: () => undefined,
  })),
}))
afterEach(() => void vi.useRealTimers())

const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
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
    const server = emptyInstallation()
    await openApp(server, '/dashboard')
    const status = await card('Status')
    await within(status).findByText('Running')
    await within(status).findByText('67,412.3')
    expect(status.textContent).toContain('Simulated market · Testnet')
    expect(status.textContent).toContain('+0.69%')
    await within(status).findByText('Unavailable')
    await within(status).findByText('None in production is trained')
    await within(await card('ML Signal')).findByText('ML model unavailable or not trained')
    await within(await card('Public Bots')).findByText('No public bots available')
    await within(await card('Recent Backtests')).findByText('No backtests found')
    await within(await card('Tasks')).findByText('No tasks yet')
    expect(server.calls).toEqual(
      expect.arrayContaining([
        'GET /bot/health',
        'GET /bot/api/ticker/BTCUSDT',
        'GET /bot/api/ml/health',
        'GET /bot/api/bots',
        'GET /bot/api/backtest/runs?limit=10',
        'GET /soc/api/tasks?limit=10',
        'GET /bot/api/ml/predictions?symbol=BTCUSDT&timeframe=1h&limit=1',
      ]),
    )
  })
})

describe('the dashboard of a live installation', () => {
  it('says how the system, the model and the connections are', async () => {
    const server = emptyInstallation()
    const websocket = { public: true, private: true }
    server.on(health, () => ({ ...SIMULATED, market: 'live' as const, venue: 'binance', testnet: false, websocket }))
    server.on(mlHealth, () => ({ healthy: true, stats: { accuracy: 0.5312, interval: null, baseline: 0.52 } }))
    await openApp(server, '/dashboard')
    const status = await card('Status')
    await within(status).findByText('Active')
    expect(status.textContent).toContain('53.1% accuracy')
    await within(status).findByText('Mainnet')
    expect(
      ['Public', 'Private'].map((name) => within(status).getByText(name).closest('[title]')?.getAttribute('title')),
    ).toEqual(['Connected', 'Connected'])
    server.on(health, () => {
      throw new Refusal(500, 'internal', 'Something went wrong on our side.')
    })
    await readAgain()
    await within(status).findByText('Error')
    expect(
      ['Public', 'Private'].map((name) => within(status).getByText(name).closest('[title]')?.getAttribute('title')),
    ).toEqual(['Not connected', 'Not connected: how orders stand is asked for instead'])
  })

  it('says on a wide screen to the minute where a replay stands, on a phone the day', async () => {
    const server = emptyInstallation()
    server.on(health, () => ({ ...SIMULATED, market: 'replay' as const, marketTime: Date.UTC(2024, 3, 21, 14) }))
    await openApp(server, '/dashboard')
    const status = await card('Status')
    const [wide, narrow] = [
      await within(status).findByText('21 Apr 2024, 14:00 UTC'),
      within(status).getByText('21 Apr 2024'),
    ]
    expect([wide.className, narrow.className]).toEqual([
      expect.stringContaining('onlyWide'),
      expect.stringContaining('onlyNarrow'),
    ])
  })

  it('lists three public bots and six backtests, by bot or symbol, with what each returned', async () => {
    const server = emptyInstallation()
    const bot = (n: number) => sampleBot({ id: idOf(n), name: `Bot ${n}`, visibility: n === 1 ? 'private' : 'public' })
    server.on(bots, () => [1, 2, 3, 4, 5].map(bot))
    const unseen = { from: 0, to: 1, candles: 1, metrics: sampleMetrics({ totalReturnPct: -2 }) }
    const run = (n: number) =>
      sampleRun({
        _id: idOf(n),
        venue: n === 5 ? 'replay' : 'simulated',
        params: { ...sampleRun().params, botName: n === 2 ? '' : `Run ${n}` },
        ...(n === 3 && { seenRatio: 0.4, unseen, judged: { by: 'unseen' as const, returnPct: -2 } }),
        ...(n === 4 && { seenRatio: 1, unseen: null, judged: { by: 'all_seen' as const, returnPct: null } }),
      })
    server.on(backtestRuns, () => [1, 2, 3, 4, 5, 6, 7].map(run))
    await openApp(server, '/dashboard')
    const rowsOf = async (name: string) =>
      within(await within(await card(name)).findByRole('list', { name }))
        .getAllByRole('listitem')
        .map((row) => row.textContent)
    expect(await rowsOf('Public Bots')).toEqual(
      ['Bot 2', 'Bot 3', 'Bot 4'].map((name) => `${name}ML · v3.2 · BTCUSDT, ETHUSDT +2+6.24%`),
    )
    expect(await rowsOf('Recent Backtests')).toEqual([
      'Run 1BTCUSDT · 1h+9.53%',
      'BTCUSDTBTCUSDT · 1h+9.53%',
      'Run 3BTCUSDT · 1hunseen −2.00%+9.53%',
      'Run 4BTCUSDT · 1hunseen —+9.53%',
      'Run 5BTCUSDT · 1h · on a replay+9.53%',
      'Run 6BTCUSDT · 1h+9.53%',
    ])
    expect(server.calls).toContain('GET /bot/api/backtest/runs?limit=10')
  })

  it('draws 100 hours of BTC/USDT, 300 px high, as candles with EMA; both can be changed', async () => {
    const server = emptyInstallation()
    server.on(ohlcv, () => Array.from({ length: 300 }, (_, i) => [i * 3_600_000, 100, 101, 99, 100, 5]))
    await openApp(server, '/dashboard')
    const shown = await screen.findByRole('application', { name: /^BTC\/USDT 1h price chart/ })
    const chart = await card('BTC/USDT')
    await waitFor(() => expect(createPriceChart).toHaveBeenCalled())
    const [element, scene, candles] = vi.mocked(createPriceChart).mock.lastCall!
    expect([element === shown, drawnStyle(shown).height, candles, scene.type]).toEqual([true, '300px', 100, 'candles'])
    const legend = () => within(chart).getByRole('list', { name: 'Legend' }).textContent
    expect(legend()).toMatch(/EMA 20.*EMA 50/)
    fireEvent.click(within(chart).getByRole('button', { name: 'EMA' }))
    fireEvent.click(within(chart).getByRole('button', { name: 'Line' }))
    await waitFor(() => expect(legend()).toMatch(/^Close/))
    expect(legend()).not.toContain('EMA')
    fireEvent.click(within(chart).getByRole('button', { name: 'EMA' }))
    await waitFor(() => expect(legend()).toContain('EMA 20'))
  })

  it('shows that the chart is loading, and says in Russian that its data did not load where the server says nothing', async () => {
    const server = emptyInstallation()
    const { fetch } = server
    const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>()
    server.fetch = async (input, init) => {
      if (!String(input).includes('/ohlcv/')) return fetch(input, init)
      await isSeen
      return new Response('', { status: 500 })
    }
    await openApp(server, '/dashboard')
    await screen.findByRole('button', { name: 'EMA' })
    screen.getByRole('status', { name: 'Loading the chart' })
    seen()
    await screen.findByText('Ошибка загрузки данных')
  })

  it('asks for everything again after 30 seconds, and shows no sign of waiting meanwhile', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
    const server = emptyInstallation()
    for (const call of [bots, backtestRuns, tasks, predictions])
      server.on(call, () => {
        throw new Refusal(500, 'internal', 'Something went wrong on our side.')
      })
    await openApp(server, '/dashboard')
    await within(await card('Status')).findByText('67,412.3')
    await screen.findByText('ML model unavailable or not trained')
    for (const empty of ['No public bots available', 'No backtests found', 'No tasks yet'])
      await screen.findByText(empty)
    await waitFor(() => expect(screen.queryAllByRole('status', { name: /^Loading/ })).toEqual([]))
    const asked = new Set<string>()
    window.fetch = (input) => {
      asked.add(new URL(String(input), 'http://localhost').pathname)
      return new Promise(() => undefined)
    }
    await act(() => vi.advanceTimersByTimeAsync(31_000))
    expect([...asked]).toEqual(
      expect.arrayContaining([
        '/bot/health',
        '/bot/api/ticker/BTCUSDT',
        '/bot/api/ml/health',
        '/bot/api/bots',
        '/bot/api/backtest/runs',
        '/soc/api/tasks',
        '/bot/api/ml/predictions',
      ]),
    )
    expect(screen.queryAllByRole('status', { name: /^Loading/ })).toEqual([])
    expect(screen.getByRole('main').querySelectorAll('[aria-disabled="true"], [role="progressbar"]')).toHaveLength(0)
    within(await card('Status')).getByText('67,412.3')
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
    // Its own words were not kept.
    expect(signal.textContent).toContain('The networks disagree: +0.21% and −0.10%.')
    expect(signal.textContent).toContain('Updated 22:13:24 UTC')
    within(signal).getByText('Stop-loss')
    fireEvent.click(within(signal).getByRole('button', { name: 'Refresh' }))
    await within(signal).findByText('Both networks expect a lower close.')
    within(signal).getByText('SELL')
  })

  it('says first that a BUY is not worth trading where the costs take what it expects, and its chip is not green', async () => {
    const server = emptyInstallation()
    const verdict = {
      code: 'not_worth_trading' as const,
      leans: 'up' as const,
      expectedBps: 3,
      costBps: 22,
      edgeBps: -19,
      horizon: 1,
    }
    const row = { ...SAID, edgeBps: -19, verdict, source: 'live' as const, madeAt: 1_700_000_004_000, trainedOn: false }
    server.on(predictions, () => [row])
    await openApp(server, '/dashboard')
    const signal = await card('ML Signal')
    const chip = (await within(signal).findByText('BUY')).parentElement!
    expect(chip.className).toContain('_outline_')
    expect(chip.className).not.toContain('_up_')
    expect(signal.textContent).toMatch(
      /Not worth trading.*would not pay its cost: −0.19%, over the next 1 h.*expected \+0.03%cost 0.22%BUY/,
    )
  })

  it('says first that a BUY is worth a long where it gains more than its costs, and what it needs to pay them', async () => {
    const server = emptyInstallation()
    const verdict = {
      code: 'worth_trading' as const,
      leans: 'up' as const,
      expectedBps: 49,
      costBps: 22,
      edgeBps: 27,
      horizon: 6,
    }
    server.on(trackRecord, ({ params }) => sampleRecord(params))
    server.on(predictions, () => [
      { ...SAID, edgeBps: 27, verdict, source: 'live' as const, madeAt: 1_700_000_004_000, trainedOn: false },
    ])
    await openApp(server, '/dashboard')
    const signal = await card('ML Signal')
    expect((await within(signal).findByText('BUY')).parentElement!.className).toContain('_up_')
    expect(signal.textContent).toMatch(/Worth a long\+0\.27% expected after costs, over the next 6 h/)
    expect(signal.textContent).toContain('The expected move of +0.49% pays the round trip of 0.22%.')
    await within(signal).findByText('61 of 104 such calls paid their cost, 95% CI 46.1–70.3')
  })

  it('stays after a failed refresh, with the time of its close in amber', async () => {
    const server = emptyInstallation()
    server.on(predictions, () => [{ ...SAID, source: 'live' as const, madeAt: 1_700_000_004_000, trainedOn: false }])
    server.on(predict, () => {
      throw new Refusal(502, 'venue_unreachable', 'The model is away.')
    })
    await openApp(server, '/dashboard')
    const signal = await card('ML Signal')
    await within(signal).findByText('BUY')
    expect(within(signal).queryByText(/^as of/)).toBeNull()
    fireEvent.click(within(signal).getByRole('button', { name: 'Refresh' }))
    await within(signal).findByText('The model is away.')
    within(signal).getByText('as of 23:13')
    within(signal).getByText('BUY')
  })

  it('says on which side its stop-loss would be when it is HOLD', async () => {
    const server = emptyInstallation()
    server.on(predictions, () => [
      {
        ...SAID,
        signal: 'HOLD' as const,
        stopLoss: 1010,
        source: 'live' as const,
        madeAt: 1_700_000_004_000,
        trainedOn: false,
      },
    ])
    await openApp(server, '/dashboard')
    await within(await card('ML Signal')).findByText('Stop-loss of a short')
  })
})

describe('the own bots', () => {
  const held = (symbol: string, worth: number, unrealizedPnL: number) => ({
    symbol,
    side: 'long' as const,
    quantity: 0.02,
    entryPrice: 1000,
    entryTime: 0,
    takeProfitPrice: null,
    stopLossPrice: null,
    markPrice: 1016,
    worth,
    unrealizedPnL,
    closing: false,
  })
  const history = { points: [], hold: [], drawdownPct: 0, worstDrawdownPct: 0 }

  it('show their equity with its curve, and their positions, real money apart', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [
      sampleBot({ id: idOf(1), name: 'Signal', openPnL: 20.3, positions: [held('BTCUSDT', 20, 20.3)] }),
      sampleBot({ id: idOf(2), name: 'Granite', isVirtual: false, positions: [held('ETHUSDT', 700, -3)] }),
      sampleBot({ id: idOf(3), name: 'Of another', userId: idOf(99), positions: [held('ETHUSDT', 900, 9)] }),
    ])
    const day = 86_400_000
    const points = [0, 1, 2].map((i) => ({ t: i * day, pct: [0, 10, 21][i]! }))
    server.on(portfolio, () => ({ virtual: { ...history, points, hold: [points[0]!] }, real: null, courses: [] }))
    await openApp(server, '/dashboard')
    const equity = await card('My equity')
    await within(equity).findByRole('img', { name: 'My bots +21.00% in 30 days, their pairs held 0.00%' })
    expect(equity.textContent).toMatch(
      /1,062\.40 USDT.*Balance 1,042\.10 · open \+20\.30.*24 h\+10\.00%30 days\+21\.00%/,
    )
    within(equity).getByText('Real money 1,062.40')
    const positions = await card('Open positions')
    within(positions).getByText('2 positions · virtual +20.30, real −3.00 USDT before fees')
    expect(within(positions).getByRole('link', { name: 'Granite' }).getAttribute('href')).toBe(`/bots/${idOf(2)}`)
    expect(within(positions).queryByText('Of another')).toBeNull()
  })

  it('give way to the order ticket beside the chart when Trade is pressed, and the signal comes back', async () => {
    const server = emptyInstallation()
    server.on(balance, () => VIRTUAL_BALANCE)
    server.on(positions, () => [])
    server.on(orders, () => [])
    await openApp(server, '/dashboard')
    await card('ML Signal')
    fireEvent.click(await screen.findByRole('button', { name: 'Trade' }))
    const ticket = within(await card('Trade'))
    await ticket.findByText('Balance 10,000.00')
    expect(screen.queryByRole('region', { name: 'ML Signal' })).toBeNull()
    expect(ticket.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe('/trade')
    fireEvent.click(ticket.getByRole('button', { name: 'ML Signal' }))
    await card('ML Signal')
  })

  it('are left out for a user without bots; with flat ones the page says that nothing is open', async () => {
    const server = emptyInstallation()
    await openApp(server, '/dashboard')
    await within(await card('Public Bots')).findByText('No public bots available')
    expect(screen.queryByRole('region', { name: 'My equity' })).toBeNull()
    server.on(bots, () => [sampleBot()])
    server.on(portfolio, () => ({ virtual: null, real: null, courses: [] }))
    await readAgain()
    await within(await card('Open positions')).findByText('No position is open')
    await within(await card('My equity')).findByText(/The curve begins with the first full hour/)
  })
})

describe('when it cannot be loaded', () => {
  it('says why in the words of the server; what fails beside the price and the system counts as nothing', async () => {
    const server = emptyInstallation()
    for (const beside of [mlHealth, bots, backtestRuns, tasks])
      server.on(beside, () => {
        throw new Refusal(500, 'internal', 'It is away.')
      })
    server.on(ticker, () => {
      throw new Refusal(502, 'venue_unreachable', 'The exchange does not answer.')
    })
    await openApp(server, '/dashboard')
    const title = await screen.findByText(/The exchange does not answer\./)
    expect(title.closest('[role="alert"]')).not.toBeNull()
    await within(await card('Status')).findByText('Unavailable')
    await within(await card('Public Bots')).findByText('No public bots available')
    await within(await card('Recent Backtests')).findByText('No backtests found')
    await within(await card('Tasks')).findByText('No tasks yet')
    expect(screen.queryByText(/It is away\./)).toBeNull()
  })
  it('says Data loading error and how old the figures are when nobody answers', async () => {
    const server = emptyInstallation()
    await openApp(server, '/dashboard')
    await within(await card('Status')).findByText('Running')
    server.silence()
    await readAgain()
    const title = await screen.findByText('Data loading error')
    expect(title.closest('[role="alert"]')?.textContent).toMatch(/Figures as of \d\d:\d\d:\d\d UTC/)
    await within(await card('Status')).findByText('67,412.3')
  })
})

it('keeps series at hand: the star takes the chart in and out, a press shows another', async () => {
  const server = emptyInstallation()
  const ETH = { symbol: 'ETHUSDT', timeframe: '4h' as const }
  let series: WatchedSeries[] = [ETH]
  server.on(watchlist, () => ({ series }))
  server.on(keepWatchlist, ({ body }) => {
    series = Watchlist.parse(body).series
    return { series }
  })
  await openApp(server, '/dashboard')
  const star = await screen.findByRole('button', { name: 'Keep BTC/USDT 1h at hand' })
  await waitFor(() => expect(star).toHaveProperty('disabled', false))
  expect(star.getAttribute('aria-pressed')).toBe('false')
  fireEvent.click(star)
  const list = screen.getByRole('list', { name: 'Watchlist' })
  const mine = await within(list).findByRole('button', { name: 'BTC/USDT 1h' })
  expect(mine.getAttribute('aria-current')).toBe('true')
  await waitFor(() => expect(series).toEqual([ETH, { symbol: 'BTCUSDT', timeframe: '1h' }]))
  fireEvent.click(within(list).getByRole('button', { name: 'ETHUSDT 4h' }))
  await waitFor(() => expect(window.location.search).toBe('?symbol=ETHUSDT&timeframe=4h'))
  fireEvent.click(await screen.findByRole('button', { name: 'Keep ETHUSDT 4h at hand' }))
  await waitFor(() => expect(series).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h' }]))
  fireEvent.click(within(list).getByRole('button', { name: 'BTC/USDT 1h' }))
  await waitFor(() => expect(window.location.search).toBe(''))
})

it('says that the watchlist could not be kept, and shows none', async () => {
  const server = emptyInstallation()
  server.on(keepWatchlist, () => {
    throw new Refusal(503, 'unavailable', 'The database does not answer.')
  })
  await openApp(server, '/dashboard')
  const star = await screen.findByRole('button', { name: 'Keep BTC/USDT 1h at hand' })
  await waitFor(() => expect(star).toHaveProperty('disabled', false))
  fireEvent.click(star)
  await screen.findByText('The watchlist could not be kept. Try again.')
  expect(screen.queryByRole('list', { name: 'Watchlist' })).toBeNull()
})

it('draws lines that stay: by the keyboard at closes, or by presses on the chart, and takes them away', async () => {
  const server = emptyInstallation()
  const HOUR = 3_600_000
  server.on(ohlcv, () =>
    Array.from({ length: 60 }, (_, i) => [i * HOUR, 100, 101, 99, 100 + i, 1] as const).map((r) => [...r]),
  )
  let lines: ChartLine[] = []
  server.on(chartLines, () => ({ lines }))
  server.on(keepChartLines, ({ body }) => {
    lines = ChartLines.parse(body).lines
    return { lines }
  })
  await openApp(server, '/dashboard')
  const choose = async (item: string) => {
    const button = await screen.findByRole('button', { name: 'Lines' })
    await waitFor(() => expect(button).toHaveProperty('disabled', false))
    fireEvent.click(button)
    fireEvent.click(await screen.findByRole('menuitem', { name: item }))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  }
  await choose('Draw a horizontal line')
  fireEvent.click(await screen.findByRole('button', { name: 'At the last close' }))
  await waitFor(() => expect(lines).toEqual([{ kind: 'level', price: 159 }]))
  expect(screen.queryByText('Press on the price of the line.')).toBeNull()

  await choose('Draw a trend line')
  const { onPress } = vi.mocked(createPriceChart).mock.calls.at(-1)![4]
  act(() => onPress?.({ t: 5 * HOUR, price: 104.96 }))
  await screen.findByText('Press on the second spot of the line.')
  act(() => onPress?.({ t: 2 * HOUR, price: 102 }))
  const trend = { kind: 'trend', from: { t: 2 * HOUR, price: 102 }, to: { t: 5 * HOUR, price: 105 } }
  await waitFor(() => expect(lines).toEqual([{ kind: 'level', price: 159 }, trend]))

  await choose('Draw a horizontal line')
  fireEvent.keyDown(window, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByText('Press on the price of the line.')).toBeNull())
  await choose('Remove the line at 159.0')
  await waitFor(() => expect(lines).toEqual([trend]))
})
