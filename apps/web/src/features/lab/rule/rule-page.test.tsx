import { backtestJob, createBacktestJob } from '@shapecast/contracts/backtest'
import { previewRule, type RulePreview, ruleLibrary } from '@shapecast/contracts/rules'
import { storedRules } from '@shapecast/contracts/stored-rules'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyInstallation, MIRA, openApp } from '../../../testing/render-app.tsx'
import { sampleMetrics } from '../../../testing/sample-run.ts'

const PREVIEW: RulePreview = {
  fundingAssumed: null,
  symbol: 'BTCUSDT',
  timeframe: '1h',
  from: 0,
  to: 3_600_000 * 3999,
  candles: 4000,
  hiddenCandles: 1000,
  conditions: [
    { part: 'enter', text: 'close > sma(20)', truePct: 49.5, decidesPct: 50.5, fired: null },
    { part: 'exit', text: 'close < sma(20)', truePct: 50.5, decidesPct: 49.5, fired: 10 },
  ],
  parts: [
    { part: 'enter', truePct: 49.5 },
    { part: 'exit', truePct: 50.5 },
  ],
  exits: [{ reason: 'signal', count: 10 }],
  metrics: sampleMetrics(),
  investedPct: 26.5,
  equityCurve: [],
  trades: [],
  randomEntries: {
    code: 'cannot_tell',
    trades: 60,
    isUnseenPart: false,
    p: 0.272,
    netReturnPct: 3.38,
    random: { fromPct: -30, toPct: 40, counts: [1, 2, 1] },
  },
  winInterval: [0.377, 0.623],
  trials: { count: 213, byKind: { preview: 213 } },
}

function installation() {
  const server = emptyInstallation()
  const asked = server.bodies(previewRule, PREVIEW)
  server.on(storedRules, () => [])
  return { server, asked }
}
const text = () => screen.findByLabelText<HTMLTextAreaElement>('Rule as text')
const write = async (rule: string) => fireEvent.change(await text(), { target: { value: rule } })
const part = (name: string) => within(screen.getByRole('region', { name }))

describe('the rule editor', () => {
  it('turns text into blocks and blocks into text', async () => {
    const { server } = installation()
    await openApp(server, '/backtest/rule')
    await write('enter: close > sma(20) and hour == 9\nexit: close < sma(20)')
    expect(part('Enter long').getByLabelText<HTMLInputElement>('First value of condition 2 of Enter long').value).toBe(
      'hour',
    )
    fireEvent.change(part('Enter long').getByLabelText('Second value of condition 2 of Enter long'), {
      target: { value: '10' },
    })
    expect((await text()).value).toBe('enter: close > sma(20) and hour == 10\nexit: close < sma(20)')
    fireEvent.click(part('Enter long').getByRole('button', { name: 'any' }))
    fireEvent.mouseDown(part('Enter long').getByRole('button', { name: 'any' }))
    expect((await text()).value).toContain('enter: close > sma(20) or hour == 10')
    fireEvent.click(screen.getByRole('button', { name: 'Remove condition 1 of Exit' }))
    await screen.findByText(/a rule must say when it leaves/)
    expect((await text()).value).toBe('enter: close > sma(20) or hour == 10')
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect((await text()).value).toContain('exit: close < sma(20)')
  })

  it('says where a text cannot be read, keeps the last blocks, and takes its suggestion', async () => {
    const { server } = installation()
    await openApp(server, '/backtest/rule')
    await write('enter: close > sma(20)\nstop: 3%')
    await write('enter: close > smaa(20)\nstop: 3%')
    await screen.findByText('Line 1, column 16: ‘smaa’ is not known. Did you mean sma?')
    expect(part('Enter long').getByLabelText<HTMLInputElement>('Second value of condition 1 of Enter long').value).toBe(
      'sma(20)',
    )
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run backtest' }).disabled).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Use sma' }))
    expect((await text()).value).toBe('enter: close > sma(20)\nstop: 3%')
  })

  it('shows what it would have done, and how often each condition held', async () => {
    const { server, asked } = installation()
    await openApp(server, '/backtest/rule')
    await write('enter: close>sma(20)\nexit: close<sma(20)')
    await screen.findByText('60 trades: cannot tell from random entries')
    await screen.findByText(/272 of 1,000 random entries earned as much or more: p = 0\.272/)
    expect(screen.getByText('true 49.5%')).toBeDefined()
    expect(screen.getByText('10 exits')).toBeDefined()
    expect(screen.getByText('213')).toBeDefined()
    expect(screen.getByText('won 50.0% (38–62)')).toBeDefined()
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({
        rule: 'enter: close > sma(20)\nexit: close < sma(20)',
        symbol: 'BTCUSDT',
        timeframe: '1h',
        limit: 20_000,
        feeRate: 0.0006,
        sizing: { kind: 'percent_of_equity', pct: 100 },
      }),
    )
  })

  it('says in the bar of the lab how much was tried, by kind, and nothing of it on another page', async () => {
    await openApp(installation().server, '/backtest/rule')
    fireEvent.click(await screen.findByRole('button', { name: '213 tries on BTCUSDT 1h' }))
    expect(within(screen.getByRole('dialog')).getByText('Rule previews')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    fireEvent.click(screen.getByRole('link', { name: 'Batch' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /tries on/ })).toBeNull())
  })

  it('asks for no preview of a rule that looks at a forecast', async () => {
    const { server } = installation()
    await openApp(server, '/backtest/rule')
    await write('enter: p_up > 0.56\ntime: 4')
    await screen.findByText('This rule looks at a forecast: only a backtest asks the model.')
    expect(screen.getByLabelText('Model')).toBeDefined()
  })

  it('trades futures once it enters short', async () => {
    const { server, asked } = installation()
    await openApp(server, '/backtest/rule')
    await write('enter: close > sma(20)\nexit: close < sma(20)')
    fireEvent.click(screen.getByLabelText('Enter short'))
    expect((await text()).value).toContain('short: close < sma(20)\ncover: close > sma(20)')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ marketType: 'futures' }))
  })

  it('begins from a published rule, and backtests it', async () => {
    const { server } = installation()
    server.on(ruleLibrary, () => ({
      stretch: { symbol: 'BTCUSDT', timeframe: '1d' as const, from: '2018-09-01', to: '2024-04-21', holdPct: 826 },
      rules: [
        {
          id: 'average_200_days',
          name: '200-day average',
          source: 'Faber',
          rule: 'enter: close > sma(200)\nexit: close < sma(200)',
          did: { totalReturnPct: 1024, maxDrawdownPct: 60, trades: 18, investedPct: 55, p: null },
        },
      ],
    }))
    const asked = server.bodies(createBacktestJob, { jobId: MIRA.id })
    server.on(backtestJob, () => ({
      _id: MIRA.id,
      status: 'failed' as const,
      progress: { current: 0, total: 0 },
      runId: null,
      error: 'No candles are stored.',
      createdAt: 0,
    }))
    await openApp(server, '/backtest/rule')
    fireEvent.click(await screen.findByRole('button', { name: 'Rules' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Begin from 200-day average' }))
    await waitFor(async () => expect((await text()).value).toContain('sma(200)'))
    fireEvent.click(screen.getByRole('button', { name: 'Run backtest' }))
    await screen.findByText('No candles are stored.')
    expect(asked).toEqual([expect.objectContaining({ mode: 'rule', timeframe: '1d', maxDrawdown: 0 })])
  })
})
