import { profile } from '@shapecast/contracts/auth'
import { backtestJob, backtestRun, backtestRuns, createBacktestJob } from '@shapecast/contracts/backtest'
import { createBot, deleteBot } from '@shapecast/contracts/bot-changes'
import { bots } from '@shapecast/contracts/bots'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { ownSlippage } from '@shapecast/contracts/own-slippage'
import { compareBacktestRuns } from '@shapecast/contracts/run-comparison'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { sampleBot } from '../../testing/sample-bot.ts'
import { sampleModel } from '../../testing/sample-model.ts'
import { sampleComparison, sampleMetrics, sampleRun } from '../../testing/sample-run.ts'

// Draws on a canvas, which there is none of here.
vi.mock('#charts/equity-overlay.tsx', () => ({ EquityOverlay: () => null }))

afterEach(() => void vi.useRealTimers())

/** Trained on hours of BTC before all ranges. */
const MODEL = {
  version: 'v3',
  stage: 'production' as const,
  stats: { accuracy: 0.573, interval: null, baseline: null, last_update: 0 },
  artifacts: sampleModel().artifacts.map((artifact) => ({ ...artifact, holdoutFrom: 0 })),
}

const idOf = (n: number) => `0199d3c0-0000-7000-8000-00000000000${n}`
const panel = () => screen.findByRole('region', { name: 'Parameters' })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

describe('the backtest page of an installation without bots', () => {
  it('starts in Model Only, says what the size is worth, and lets an error go with its cause', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    server.on(models, () => ({ models: [MODEL], current: null }))
    await openApp(server, '/backtest')
    const parameters = await panel()
    await waitFor(() =>
      expect(within(parameters).getByRole('button', { name: 'Model Only' }).getAttribute('aria-pressed')).toBe('true'),
    )
    await within(parameters).findByText('≈ 1,011.18 USDT · 10.1× balance')
    fireEvent.change(field('Position Size'), { target: { value: '999999' } })
    await within(parameters).findByText('≈ 3,000.00 USDT · 30.0× balance')
    within(parameters).getByText('100.00 USDT at 30× carries no more: positions are cut to about 0.0445 BTC.')
    fireEvent.click(within(parameters).getByRole('button', { name: 'Use 1×: 0.00148 BTC' }))
    expect(field('Position Size').value).toBe('0.00148')
    expect(within(parameters).queryByText(/drawdown limit/)).toBeNull()

    fireEvent.click(within(parameters).getByRole('button', { name: 'Run Backtest' }))
    const refused = () => screen.queryAllByText('Please select a model to test.')
    await waitFor(() => expect(refused()).not.toEqual([]))
    fireEvent.click(within(parameters).getByRole('button', { name: 'Bot Configuration' }))
    await waitFor(() => expect(refused()).toEqual([]))
  })
  it('offers no run while there is nothing to test, and says so on the button', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    server.on(models, () => ({ models: [], current: null }))
    await openApp(server, '/backtest')
    const off = async (name: string) =>
      expect((await screen.findByRole<HTMLButtonElement>('button', { name })).disabled).toBe(true)
    await off('No model to test')
    fireEvent.click(await screen.findByRole('button', { name: 'Bot Configuration' }))
    await off('No bot to test')
  })
  it('does not move the dates for a candle limit that cannot be tested', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [])
    await openApp(server, '/backtest')
    await panel()
    const limit = field('Candles limit')
    expect(limit.value).toBe('1000')
    const from = (await screen.findByRole('group', { name: 'From' })).textContent
    fireEvent.change(limit, { target: { value: '99999999' } })
    expect(screen.getByRole('group', { name: 'From' }).textContent).toBe(from)
  })
})

describe('the parameters', () => {
  it('begin with a model’s defaults and limits, and name the model by stage and accuracy', async () => {
    const server = emptyInstallation()
    server.on(models, () => ({ models: [MODEL], current: 'v3' }))
    await openApp(server, '/backtest')
    const parameters = within(await panel())
    await parameters.findByText('v3 · production · acc 57%')
    const look = (name: string) => {
      const { value } = field(name)
      fireEvent.keyDown(field(name), { key: 'ArrowUp' })
      return [name, value, field(name).getAttribute('aria-valuemin'), field(name).value]
    }
    expect(['Position Size', 'Initial Balance', 'Leverage', 'Max Drawdown %', 'Fee', 'Slippage'].map(look)).toEqual([
      ['Position Size', '0.015', '0', '0.016'],
      ['Initial Balance', '100', '0', '101'],
      ['Leverage', '30', '1', '31'],
      ['Max Drawdown %', '50', '0', '50.5'],
      ['Fee', '0.06', '0', '0.07'],
      ['Slippage', '5', '0', '6'],
    ])
    expect(field('Timeframe').value).toBe('1h')
  })

  it('say what a bot is; without the role the button says so', async () => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'user' as const } }))
    server.on(bots, () => [sampleBot({ tradingPairs: ['BTCUSDT'] })])
    await openApp(server, '/backtest')
    const parameters = within(await panel())
    await parameters.findByText('Northwind · ML · BTCUSDT')
    expect((await panel()).textContent).toMatch(
      /SymbolBTCUSDTStrategyML · v3\.2Position size.*0\.015 BTCRisk levelMedium/,
    )
    expect(parameters.getByRole<HTMLButtonElement>('button', { name: 'Run disabled for your role' }).disabled).toBe(
      true,
    )
  })

  it('take the fees of a venue, slippage from own fills and post-only orders, where a maker pays less', async () => {
    const server = emptyInstallation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'admin' as const } }))
    server.on(ownSlippage, () => ({
      fills: 214,
      estimate: { expectedBps: 3.12, intervalBps: [2.4, 3.9] as [number, number], isBeyondSeen: false },
    }))
    const stops = { takeProfitPct: 0, stopLossPct: 0 }
    server.on(bots, () => [sampleBot({ ...stops, marketType: 'spot', parameters: { policy: 'trend_ensemble' } })])
    let asked: unknown
    server.on(createBacktestJob, ({ body }) => {
      asked = body
      throw new Refusal(429, 'too_many_requests', 'Later.')
    })
    await openApp(server, '/backtest')
    const parameters = within(await panel())
    await parameters.findByText(/Your 214 fills: 3.1 bps \[2.4, 3.9\]/)
    const rests = parameters.getByRole<HTMLInputElement>('switch', { name: 'Post-only orders' })
    expect(rests.disabled).toBe(true)
    fireEvent.click(parameters.getByRole('button', { name: 'Use 3.1 bps' }))
    const pick = async (venue: string) => {
      fireEvent.click(parameters.getByRole('combobox', { name: /^Fees/ }))
      fireEvent.click(await screen.findByRole('option', { name: new RegExp(`^${venue}`) }))
      expect(parameters.getByRole('combobox', { name: /^Fees/ }).textContent).toBe(venue)
    }
    await pick('Bybit spot')
    await pick('Kraken spot')
    expect([field('Fee').value, field('Maker fee').value, field('Slippage').value]).toEqual(['0.4', '0.25', '3.1'])
    fireEvent.click(rests)
    fireEvent.click(parameters.getByRole('button', { name: 'Run Backtest' }))
    await waitFor(() =>
      expect(asked).toMatchObject({ feeRate: 0.004, slippageBps: 3.1, postOnly: { makerFeeRate: 0.0025 } }),
    )
  })

  it('say beside a field what it takes when it is left, and no more while it is mended', async () => {
    const server = emptyInstallation()
    server.on(models, () => ({ models: [MODEL], current: 'v3' }))
    await openApp(server, '/backtest')
    const parameters = within(await panel())
    const said: Record<string, [wrong: string, words: string, right: string]> = {
      'Position Size': ['0', 'Must be more than 0', '1'],
      Leverage: ['101', 'Must be at most 100', '100'],
      Fee: ['11', 'Must be at most 10', '0.1'],
      Timeframe: ['2h', 'Must be one of 1m, 5m, 15m, 30m, 1h, 4h, 1d', '4h'],
    }
    for (const [name, [wrong, words, right]] of Object.entries(said)) {
      fireEvent.change(field(name), { target: { value: wrong } })
      expect(parameters.queryByText(words)).toBeNull()
      fireEvent.blur(field(name))
      await parameters.findByText(words)
      fireEvent.change(field(name), { target: { value: right } })
      await waitFor(() => expect(parameters.queryByText(words)).toBeNull())
    }
  })

  it('keep a place for what a bot is and for what its model has not seen', async () => {
    const server = emptyInstallation()
    server.on(bots, () => [sampleBot({}), sampleBot({ id: idOf(2), name: 'Southwind' })])
    await openApp(server, '/backtest')
    const parameters = await panel()
    expect(parameters.textContent).toMatch(/Symbol—Strategy—Position size.*—Risk level—/)
    const unseen = within(parameters).getByRole<HTMLInputElement>('switch', { name: 'Unseen candles only' })
    expect(unseen.disabled).toBe(true)
    within(parameters).getByText('It is not known which candles were trained on.')
  })
})

describe('a job', () => {
  it('is asked for every 1.5 s with its progress; where it fails the reason is said and its bot deleted', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
    const server = emptyInstallation()
    const id = sampleRun()._id
    const job = { _id: id, progress: { current: 0, total: 720 }, runId: null, error: null, createdAt: 0 }
    let answer: ReturnType<Parameters<typeof server.on<typeof backtestJob>>[1]> = { ...job, status: 'queued' }
    server.on(models, () => ({ models: [MODEL], current: 'v3' }))
    server.on(ohlcv, (): [CandleRow] => [[0, 1, 1, 1, 1, 1]])
    server.on(createBot, () => ({ botId: id }))
    server.on(createBacktestJob, () => ({ jobId: id }))
    server.on(backtestJob, () => answer)
    server.on(deleteBot, () => ({ ok: true as const }))
    await openApp(server, '/backtest')
    fireEvent.click(await screen.findByRole('button', { name: 'Run Backtest' }))
    await screen.findByText('Queued…')
    const polls = () => server.calls.filter((call) => call.startsWith('GET /bot/api/backtest/jobs/')).length
    await waitFor(() => expect(polls()).toBe(1))
    answer = { ...job, status: 'running', progress: { current: 360, total: 720 } }
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    await screen.findByText('Running, 360 of 720 candles')
    screen.getByText('50%')
    expect(polls()).toBe(2)
    answer = { ...job, status: 'failed', error: 'The worker was lost.' }
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    const title = await screen.findByText('Backtest failed with error')
    const banner = within(title.closest<HTMLElement>('[role="alert"]')!)
    banner.getByText('The worker was lost.')
    await waitFor(() => expect(server.calls).toContain(`DELETE /bot/api/bots/${id}`))
    fireEvent.click(banner.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Backtest failed with error')).toBeNull()
  })
})

describe('a run that opens at the end of its job', () => {
  /** A test of the model alone, which is under way until `end` is called, with whether its end has been said. */
  async function startTest() {
    const server = emptyInstallation()
    const made = sampleRun({ name: 'Just made' })
    const run = { ...made, initialBalance: 100, params: { ...made.params, mode: 'model' as const, leverage: 30 } }
    const job = { _id: idOf(8), progress: { current: 0, total: 720 }, error: null, createdAt: 0 }
    let hasEnded = false
    server.on(models, () => ({ models: [MODEL], current: 'v3' }))
    server.on(ohlcv, (): [CandleRow] => [[0, 1, 1, 1, 1, 1]])
    server.on(createBot, () => ({ botId: idOf(7) }))
    server.on(createBacktestJob, () => ({ jobId: job._id }))
    server.on(backtestJob, () =>
      hasEnded
        ? { ...job, status: 'completed' as const, runId: run._id }
        : { ...job, status: 'running' as const, runId: null },
    )
    server.on(deleteBot, () => ({ ok: true as const }))
    server.on(backtestRun, () => run)
    await openApp(server, '/backtest')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Run Backtest' }))
    await screen.findByText('Running, 0 of 720 candles')
    const end = async () => {
      hasEnded = true
      await screen.findByRole('heading', { name: 'Just made', level: 1 })
    }
    return { user, end }
  }

  it('leaves in the fields what was typed meanwhile, and does not call it the run’s', async () => {
    const { user, end } = await startTest()
    await user.clear(field('Leverage'))
    await user.type(field('Leverage'), '7')
    await end()
    expect(field('Leverage').value).toBe('7')
    screen.getByRole('button', { name: 'Run Backtest' })
    expect(screen.queryByText('of the run opened')).toBeNull()
  })

  it('fills the fields with what it was run with where nothing was typed', async () => {
    const { end } = await startTest()
    await end()
    await screen.findByText('of the run opened')
    screen.getByRole('button', { name: 'Run again' })
    expect(screen.getByRole('group', { name: 'From' }).textContent).toContain('1970')
  })
})

describe('an opened run', () => {
  it('shows what came out, what is still open and the last 50 trades; without candles its chart is asked for again', async () => {
    const trade = (i: number) => ({
      side: 'short' as const,
      entryTime: i * 3_600_000,
      exitTime: (i + 1) * 3_600_000,
      entryPrice: 100,
      exitPrice: 99,
      quantity: 0.015,
      netPnL: 1.25,
      fees: 0.5,
      funding: 0,
      exitReason: 'signal' as const,
    })
    const openPosition = { side: 'long' as const, entryPrice: 101, entryTime: 0, quantity: 0.015, unrealizedPnL: -2.5 }
    const run = sampleRun({ venue: 'simulated', openPosition, trades: Array.from({ length: 66 }, (_, i) => trade(i)) })
    const server = emptyInstallation()
    server.on(backtestRun, () => run)
    server.on(backtestRuns, () => [run])
    await openApp(server, `/backtest?run=${run._id}`)
    await screen.findByRole('heading', { name: 'Northwind BTC', level: 1 })
    const chips = within(screen.getByRole('list', { name: 'Run' })).getAllByRole('listitem')
    expect(chips.map((chip) => chip.textContent).slice(0, 5)).toEqual([
      'Northwind BTC',
      'BTCUSDT',
      '1 Jan – 5 Jan 1970 · 1h',
      '100 candles',
      '66 trades',
    ])
    const chart = screen.getByRole('region', { name: 'Chart' })
    await within(chart).findByText('Chart unavailable')
    for (const words of ['66 trades', '1,095.27 USDT', '+9.53%']) within(chart).getByText(words)
    const candleCalls = () => server.calls.filter((call) => call.includes('/ohlcv/')).length
    const before = candleCalls()
    fireEvent.click(within(chart).getByRole('button', { name: 'Load Data' }))
    await waitFor(() => expect(candleCalls()).toBeGreaterThan(before))
    const balance = screen.getByRole('region', { name: 'Balance' }).textContent!
    for (const words of [
      'Final1,095.27',
      'Initial1,000.00',
      'Return+9.53%',
      'StrategyML',
      'RiskMedium',
      '0.015 BTC',
      'BUY signals68SELL signals74HOLD signals578',
      '57.2%',
      'Entries / closes67 / 66',
      'Open positionLong',
      'Entry price101.0',
      'Quantity0.015',
      'Unrealized PnL−2.50 USDT',
      'Costs took 73.66 USDT of 179.20 earned before them: 41.1%.',
    ])
      expect(balance).toContain(words)
    const sharpe = screen.getByRole('region', { name: 'Sharpe-like' }).textContent
    expect(sharpe).toMatch(/3\.78.*Avg trade PnL\+1\.61 USDT/)
    const trades = screen.getByRole('region', { name: 'Trades' })
    fireEvent.click(within(trades).getByRole('button', { name: 'Show all 50' }))
    const rows = [...trades.querySelectorAll('tbody tr')].map((row) => row.textContent)
    expect(rows).toHaveLength(50)
    expect(rows[0]).toMatch(/^Short3 Jan, 17:003 Jan, 18:00.*0\.01500\+1\.25.*0\.50/)
  })

  it('says plainly that costs were more than what was earned', async () => {
    const run = sampleRun({ metrics: sampleMetrics({ grossPnL: 7.88, fees: 40, slippageCost: 7.73 }) })
    const server = emptyInstallation()
    server.on(backtestRun, () => run)
    await openApp(server, `/backtest?run=${run._id}`)
    const balance = await screen.findByRole('region', { name: 'Balance' })
    expect(balance.textContent).toContain('Costs took 47.73 USDT, more than the 7.88 USDT earned before them.')
  })

  it('stands among the saved ones, 10 at first and 20 after Refresh, with what it came to', async () => {
    const server = emptyInstallation()
    const part = { from: 0, to: 1, candles: 56, metrics: sampleMetrics({ totalReturnPct: 1.5 }) }
    const judged = { by: 'unseen' as const, returnPct: part.metrics.totalReturnPct }
    const run = sampleRun({ seenRatio: 0.44, unseen: part, judged })
    server.on(backtestRuns, () => [run])
    await openApp(server, '/backtest')
    const saved = await screen.findByRole('region', { name: 'Saved Runs' })
    const row = await within(saved).findByRole('listitem')
    for (const words of [
      'Northwind BTC',
      'BTCUSDT 1h · v3',
      '1 Jan',
      '66 trades',
      'PF\u00a01.38',
      '+1.50%',
      '+9.53% in all',
    ])
      expect(row.textContent).toContain(words)
    within(row).getByRole('button', { name: /^Open the run Northwind BTC/ })
    expect(server.calls.some((call) => call.endsWith('/backtest/runs?limit=10'))).toBe(true)
    fireEvent.click(within(saved).getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(server.calls.some((call) => call.endsWith('/backtest/runs?limit=20'))).toBe(true))
  })

  it('fills the form with what it was run with, to be run again', async () => {
    const run = sampleRun({ own: true, name: 'Small size', note: 'as a check' })
    const opened = {
      ...run,
      initialBalance: 250,
      params: { ...run.params, mode: 'model' as const, leverage: 7, feeRate: 0.001 },
    }
    const server = emptyInstallation()
    server.on(models, () => ({ models: [MODEL], current: 'v3' }))
    server.on(bots, () => [])
    server.on(backtestRun, () => opened)
    server.on(backtestRuns, () => [opened])
    await openApp(server, `/backtest?run=${run._id}`)
    await screen.findByRole('heading', { name: 'Small size', level: 1 })
    await waitFor(() => expect(field('Leverage').value).toBe('7'))
    expect([field('Initial Balance').value, field('Fee').value]).toEqual(['250', '0.1'])
    await screen.findByRole('button', { name: 'Run again' })
    const saved = await screen.findByRole('region', { name: 'Saved Runs' })
    await within(saved).findByText(/as a check/)
    const listed = () => server.calls.filter((call) => call.startsWith('GET /bot/api/backtest/runs?'))
    expect(new Set(listed())).toEqual(new Set(['GET /bot/api/backtest/runs?limit=10']))
    fireEvent.click(within(saved).getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(listed().at(-1)).toBe('GET /bot/api/backtest/runs?limit=20'))
    fireEvent.click(within(saved).getByRole('button', { name: 'More for the run Small size' }))
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'Rename',
      'Edit note',
      'Trades as CSV',
      'Delete run',
    ])
  })

  it('runs the unseen rest at 1× in one press when part was seen', async () => {
    const HOUR_MS = 3_600_000
    const run = sampleRun()
    const opened = { ...run, seenRatio: 0.4, params: { ...run.params, mode: 'model' as const } }
    const [artifact] = sampleModel().artifacts
    const server = emptyInstallation()
    const bodies: unknown[] = []
    server.on(models, () => ({
      models: [{ ...MODEL, artifacts: [{ ...artifact!, holdoutFrom: 60 * HOUR_MS }] }],
      current: 'v3',
    }))
    server.on(backtestRun, () => opened)
    server.on(backtestRuns, () => [opened])
    server.on(ohlcv, (): [CandleRow] => [[0, 1, 1, 1, 1, 1]])
    server.on(createBot, ({ body }) => {
      bodies.push(body)
      return { botId: run._id }
    })
    server.on(createBacktestJob, ({ body }) => {
      bodies.push(body)
      throw new Refusal(422, 'unprocessable', 'Not now.')
    })
    server.on(deleteBot, () => ({ ok: true as const }))
    await openApp(server, `/backtest?run=${run._id}`)
    fireEvent.click(await screen.findByRole('button', { name: 'Run on unseen candles at 1×' }))
    await waitFor(() => expect(bodies).toHaveLength(2))
    expect(bodies).toMatchObject([
      { positionSize: 0.01483, initialBalance: 1000 },
      { from: 61 * HOUR_MS, to: 100 * HOUR_MS - 1, limit: 39 },
    ])
    expect((await screen.findByLabelText<HTMLInputElement>('Position Size')).value).toBe('0.01483')
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Unseen candles only/ }).checked).toBe(true)
    await screen.findByText('Not now.')
  })

  it('says in plain words that an impossible run does not exist', async () => {
    const server = emptyInstallation()
    server.on(backtestRun, () => {
      throw new Refusal(400, 'bad_input', 'id must be an id, such as 01890000')
    })
    await openApp(server, '/backtest?run=nope')
    await screen.findByText(/^This run does not exist\. Open another one/)
  })

  it('is compared with another one from its menu, where both can be laid over each other', async () => {
    const run = sampleRun({ name: 'Opened' })
    const other = sampleRun({ _id: idOf(2), name: 'Other' })
    const later = sampleRun({ _id: idOf(4), name: 'Later', startTime: 1e12, endTime: 1e12 + 1e9 })
    const server = emptyInstallation()
    server.on(backtestRun, () => run)
    server.on(backtestRuns, () => [run, other, later])
    server.on(compareBacktestRuns, () => sampleComparison(run, other))
    await openApp(server, `/backtest?run=${run._id}`)
    const item = async (name: string) => {
      fireEvent.click(await screen.findByRole('button', { name: `More for the run ${name}` }))
      return screen.findByRole('menuitem', { name: /^Compare with the opened run/ })
    }
    const refused = await item('Later')
    expect(refused.getAttribute('aria-disabled')).toBe('true')
    expect(refused.textContent).toContain('Another range than the opened one')
    fireEvent.keyDown(refused, { key: 'Escape' })
    fireEvent.click(await item('Other'))
    await screen.findByRole('heading', { name: '2 runs compared' })
    expect(screen.getAllByRole('checkbox', { name: /^Compare / })).toHaveLength(3)
    expect(screen.queryByRole('button', { name: /^Open the run/ })).toBeNull()
    expect(window.location.search).toBe(`?compare=${run._id},${other._id}`)
  })

  it('folds the form on a phone, with the way to run it again', async () => {
    const made = sampleRun()
    const run = { ...made, params: { ...made.params, mode: 'model' as const } }
    const server = emptyInstallation()
    server.on(models, () => ({ models: [MODEL], current: 'v3' }))
    server.on(bots, () => [])
    server.on(backtestRun, () => run)
    server.on(backtestRuns, () => [run])
    const browser = (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM
    browser.setViewport({ width: 360 })
    try {
      await openApp(server, `/backtest?run=${run._id}`)
      const folded = await screen.findByRole('button', { name: /^Parameters/, expanded: false })
      await screen.findByRole('button', { name: 'Run again' })
      expect(screen.queryByLabelText('Fee')).toBeNull()
      fireEvent.click(folded)
      await screen.findByLabelText('Fee')
    } finally {
      browser.setViewport({ width: 1024 })
    }
  })

  it('is out of sight once deleted, and back when that is undone', async () => {
    const run = sampleRun({ own: true, name: 'Small size' })
    const server = emptyInstallation()
    server.on(bots, () => [])
    server.on(backtestRuns, () => [run])
    await openApp(server, '/backtest')
    const saved = await screen.findByRole('region', { name: 'Saved Runs' })
    fireEvent.click(await within(saved).findByRole('button', { name: 'More for the run Small size' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete run' }))
    await within(saved).findByText('No saved runs')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await within(saved).findByRole('button', { name: 'More for the run Small size' })
    expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
  })
})
