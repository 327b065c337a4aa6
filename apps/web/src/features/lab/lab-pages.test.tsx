import { type Batch, batch, batches, createBatch } from '@shapecast/contracts/batch'
import { previewBot } from '@shapecast/contracts/bot-preview'
import { models } from '@shapecast/contracts/ml'
import { storedRule } from '@shapecast/contracts/stored-rules'
import {
  createWalkForward,
  type WalkFold,
  type WalkForward,
  walkForward,
  walkForwardGround,
  walkForwards,
} from '@shapecast/contracts/walk-forward'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { paths } from '#routes/paths.ts'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import { sampleMetrics } from '../../testing/sample-run.ts'
import { batchWords } from './batch/batch-words.ts'
import { walkWords } from './walk/walk-words.ts'

const DAY = 86_400_000
const intervals = {
  unit: 'trade' as const,
  units: 29,
  wins: 12,
  losses: 17,
  autocorrelation: 0,
  isTooNarrow: false,
  totalReturnPct: [-20.1, 46.6] as [number, number],
  profitFactor: null,
  sharpe: null,
  verdict: 'may_be_luck' as const,
}
const fold = (k: number, n: number, net: number): WalkFold => ({
  train: { from: k * 50 * DAY, to: (k * 50 + 149) * DAY },
  test: { from: (k * 50 + 150) * DAY, to: (k * 50 + 199) * DAY },
  values: { n },
  inSample: { sharpe: 2.5, netReturnPct: 40, trades: 20 },
  outOfSample: { sharpe: k === 1 ? null : 0.2, netReturnPct: net, holdPct: -1, trades: k === 1 ? 0 : 5 },
})
const RESULT = {
  walked: { from: 0, to: 299 * DAY, candles: 300 },
  fundingAssumed: null,
  kept: { from: 300 * DAY, to: 374 * DAY, candles: 75 },
  parameters: [{ name: 'n', label: 'Days', values: [5, 10] }],
  points: 2,
  folds: [fold(0, 5, 3), fold(1, 10, 0), fold(2, 5, -2)],
  metrics: { ...sampleMetrics(), totalReturnPct: 7.75, buyAndHoldReturnPct: -4.79, trades: 29, maxDrawdownPct: 14.1 },
  intervals,
  holdDrawdownPct: 34.2,
  inSampleSharpe: 2.73,
  outOfSampleSharpe: 0.21,
  efficiency: 0.0769,
  changes: 2,
  curves: { t: [0, DAY], walk: [0, 7.75], hold: [0, -4.79] },
  model: null,
}
const WALK: WalkForward = {
  id: MIRA.id,
  status: 'completed',
  progress: { current: 3, total: 3 },
  error: null,
  createdAt: 0,
  venue: 'simulated',
  title: 'Rule on BTCUSDT 1d',
  request: {
    search: {
      kind: 'rule',
      rule: 'enter: close > sma({n}) time: 3',
      symbol: 'BTCUSDT',
      timeframe: '1d',
      limit: 5000,
      parameters: [{ name: 'n', values: [5, 10] }],
      keptPct: 20,
      minTrades: 5,
      marketType: 'spot',
      initialBalance: 1000,
      feeRate: 0.0006,
      slippageBps: 5,
    },
    train: 150,
    test: 50,
    anchored: false,
    retrain: false,
  },
  tries: { count: 1413, byKind: { search: 1413 } },
  result: RESULT,
}

const report = (accuracy: number, interval: [number, number], outcomes: number) => ({
  accuracy,
  interval,
  outcomes,
  effectiveOutcomes: outcomes / 2,
  majorityBaseline: 0.5,
  reversalBaseline: 0.515,
  verdict: 'indistinguishable from the reversal baseline',
})
const RETRAINED: WalkForward = {
  ...WALK,
  request: {
    ...WALK.request,
    retrain: true,
    search: { ...WALK.request.search, rule: 'enter: p_up > 50% time: 3', parameters: [] },
  },
  result: {
    ...RESULT,
    parameters: [],
    points: 1,
    folds: RESULT.folds.map((one) => ({
      ...one,
      values: {},
      inSample: null,
      model: {
        hash: 'a',
        learntTo: one.train.to - 401 * DAY,
        heldOut: report(0.56, [0.53, 0.6], 400),
        ahead: report(0.52, [0.49, 0.55], 900),
        seconds: 30,
      },
    })),
    inSampleSharpe: null,
    efficiency: null,
    // In the first of its three stretches.
    haltedAt: 160 * DAY,
    retrained: {
      version: 'v3',
      horizon: 1,
      ahead: report(0.521, [0.51, 0.532], 2700),
      direction: { code: 'no_better', holdsUp: false, rule: 'reversal', ruleRatio: 0.515 },
      single: { heldOut: report(0.56, [0.53, 0.6], 400), from: 0, to: 399 * DAY },
    },
  },
}

describe('a walk', () => {
  it('is planned, followed and read: what was promised beside what came true', async () => {
    const server = emptyInstallation()
    server.on(walkForwards, () => [])
    const asked = server.bodies(createWalkForward, { id: MIRA.id })
    let reads = 0
    server.on(walkForward, () =>
      reads++ === 0 ? { ...WALK, status: 'running' as const, progress: { current: 1, total: 3 }, result: null } : WALK,
    )
    await openApp(server, '/backtest/walk-forward')
    fireEvent.change(await screen.findByLabelText('Rule'), { target: { value: 'enter: close > sma({n}) time: 3' } })
    const start = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Walk forward' })
    // Its values are missing.
    expect(start().disabled).toBe(true)
    fireEvent.change(screen.getByLabelText('Values of n'), { target: { value: '5 to 10 by 5' } })
    fireEvent.click(start())
    await screen.findByText('Running, fold 2 of 3')
    expect(asked).toEqual([
      expect.objectContaining({
        search: expect.objectContaining({ parameters: [{ name: 'n', values: [5, 10] }], kind: 'rule' }),
        train: 2200,
        anchored: false,
      }),
    ])
    await screen.findByText('8% of the promise was left, and the settings never settled')
    expect(screen.getByText('95% interval −20.1 to +46.6%')).toBeDefined()
    expect(screen.getByText('2 values in 3 folds · 5 to 10')).toBeDefined()
    expect(screen.getByRole('button', { name: /^1,413 tries on / })).toBeDefined()
  })

  it('trains the model again where it is asked to, and says how long that takes before the press', async () => {
    const server = emptyInstallation()
    server.on(walkForwards, () => [])
    server.on(models, () => ({ models: [], current: 'v3' }))
    const asked = server.bodies(createWalkForward, { id: MIRA.id })
    let reads = 0
    server.on(walkForward, () =>
      reads++ === 0
        ? { ...RETRAINED, status: 'running' as const, progress: { current: 1, total: 3, leftS: 425 }, result: null }
        : RETRAINED,
    )
    server.on(walkForwardGround, () => ({ version: 'v3', folds: 11, seconds: 540 }))
    await openApp(server, '/backtest/walk-forward')
    fireEvent.click(await screen.findByRole('button', { name: 'Model' }))
    await screen.findByText(/^11 trainings of v3, about 9 min 00 s by the newest training here\./)
    fireEvent.click(screen.getByRole('button', { name: 'Walk forward' }))
    await screen.findByText('Running, fold 2 of 3, about 7 min 05 s left')
    const search = expect.objectContaining({
      kind: 'rule',
      rule: 'enter: p_up > 50%\nexit: p_up < 50%',
      parameters: [],
      timeframe: '1h',
    })
    expect(asked).toEqual([expect.objectContaining({ retrain: true, train: 5000, test: 1000, search })])
    await screen.findByText('52.1% of directions called right: no better than betting on a reversal')
    screen.getByText(/^Its drawdown limit ended it on 10 Jun 1970: nothing was traded after that/)
    // The second and the third fold, in the picture and in the table.
    expect(screen.getAllByText('ended')).toHaveLength(4)
    expect(screen.getByText(/Less came true than its interval allows\./)).toBeDefined()
    expect(screen.getByText('95% CI 51.0–53.2')).toBeDefined()
  })

  it('opens its plan again as it was', async () => {
    const server = emptyInstallation()
    server.on(walkForwards, () => [])
    server.on(walkForward, () => WALK)
    await openApp(server, `/backtest/walk-forward?plan=${MIRA.id}`)
    expect((await screen.findByLabelText<HTMLInputElement>('Values of n')).value).toBe('5, 10')
    expect(screen.getByLabelText<HTMLInputElement>('Train on').value).toBe('150')
  })

  it('says what an efficiency means', () => {
    expect(walkWords({ ...RESULT, efficiency: -0.2 }).title).toContain('Nothing of the promise was left')
    expect(walkWords({ ...RESULT, efficiency: null }).title).toContain('Training promised nothing')
    const good = walkWords({
      ...RESULT,
      efficiency: 0.8,
      changes: 0,
      intervals: { ...intervals, totalReturnPct: [1, 9] },
    })
    expect(good).toMatchObject({ title: '80% of the promise was left, and the settings held still', isLuck: false })
  })
})

const cell = (symbol: string, sharpe: number | null) => ({
  symbol,
  timeframe: '4h' as const,
  missing: sharpe === null ? { code: 'no_candles', text: 'No candles.' } : null,
  run:
    sharpe === null
      ? null
      : {
          id: MIRA.id,
          from: 0,
          to: DAY,
          candles: 2,
          metrics: { trades: 14, sharpeLike: sharpe, totalReturnPct: 5, maxDrawdownPct: 9, buyAndHoldReturnPct: 1 },
          sharpeOverHolding: sharpe,
          intervals: { sharpe: null, totalReturnPct: null, verdict: 'too_few' as const },
          entries: { code: 'too_few_trades' as const, p: null },
        },
})
const BATCH: Batch = {
  id: MIRA.id,
  status: 'completed',
  progress: { current: 3, total: 3 },
  error: null,
  createdAt: 0,
  venue: 'simulated',
  title: 'Rule on 3 symbols, 1 timeframe',
  request: {
    mode: 'rule',
    rule: 'enter: close > 1 time: 2',
    feeRate: 0.0006,
    slippageBps: 5,
    noSameBarReentry: true,
    positionSize: 0.015,
    initialBalance: 1000,
    leverage: 1,
    maxDrawdown: 0,
    symbols: ['BTCUSDT', 'ETHUSDT', 'ADAUSDT'],
    timeframes: ['4h'],
    limit: 5000,
    keptPct: 20,
  },
  result: {
    cells: [cell('BTCUSDT', -0.2), cell('ETHUSDT', 1.54), cell('ADAUSDT', null)],
    verdict: { code: 'what_luck_gives', runs: 2, clear: 0, best: 1, luckSharpe: 1.32, p: 0.35 },
    equalRisk: [
      {
        timeframe: '4h',
        runs: 2,
        days: 2,
        figures: {
          totalReturnPct: 13.7,
          sharpe: 0.49,
          interval: [-1.06, 2.04],
          maxDrawdownPct: 20.4,
          volatilityPct: 18.2,
        },
        holdFigures: { totalReturnPct: 7.8, sharpe: 0.35, interval: null, maxDrawdownPct: 52.7, volatilityPct: 52.4 },
        curves: { t: [0, DAY], own: [0, 13.7], hold: [0, 7.8] },
      },
    ],
    tries: 253,
  },
}

describe('a link to what only its owner sees', () => {
  it.each([
    [paths.batch(BATCH.id), 'Sign in to see this batch'],
    [paths.walkForward(WALK.id), 'Sign in to see this walk'],
    [paths.search(WALK.id), 'Sign in to see this search'],
    [paths.storedRule(WALK.id), 'Sign in to see this rule'],
  ])('opened at %s by somebody who is signed out asks for nothing private', async (path, words) => {
    const server = emptyInstallation()
    // It may be public.
    server.on(storedRule, () => {
      throw new Refusal(404, 'not_found', 'This rule does not exist, or its owner keeps it private.')
    })
    await openApp(server, path, { signedIn: false })
    await screen.findByRole('heading', { level: 1, name: words })
    expect(server.calls.filter((call) => call.includes('/api/'))).toEqual([])
  })
})

describe('a batch', () => {
  it('shows its runs as links, the best first, and names what is missing', async () => {
    const server = emptyInstallation()
    server.on(batches, () => [])
    server.on(createBatch, () => ({ id: MIRA.id }))
    server.on(batch, () => BATCH)
    server.on(previewBot, () => Promise.reject(new Refusal(404, 'no_candles', 'No candles.')))
    await openApp(server, '/backtest/batch')
    fireEvent.click(await screen.findByRole('button', { name: 'Run batch' }))
    await screen.findByText('None of 2 gain beyond chance alone; the best is what luck gives')
    await waitFor(() => expect(screen.getByRole('link', { name: 'Import ADAUSDT 4h' })).toBeDefined())
    const rows = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(rows.slice(0, 4)).toEqual(['ETHUSDT', 'BTCUSDT', 'ADAUSDT', 'All at equal risk'])
    expect(screen.getByRole('link', { name: /^1\.54/ }).getAttribute('href')).toBe(`/backtest?run=${MIRA.id}`)
    fireEvent.mouseDown(screen.getByRole('button', { name: 'Drawdown' }))
    await screen.findAllByText('−9.0%')
    // Of all that ran at once, never of one row.
    fireEvent.click(screen.getByRole('button', { name: 'Create a bot' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe(BATCH.title)
    expect(dialog.getByRole('button', { name: 'BTCUSDT' })).toBeDefined()
    expect(dialog.getByRole('button', { name: 'ETHUSDT' })).toBeDefined()
    expect(dialog.queryByRole('button', { name: 'ADAUSDT' })).toBeNull()
  })

  it('says how much of the best is luck', () => {
    const result = BATCH.result!
    const { verdict } = result
    expect(batchWords(result).sentences[0]).toBe(
      'Over holding as much, ETHUSDT 4h with 14 trades is the best by its years: a Sharpe ratio of 1.54; the best of 253 tries without any skill shows about 1.32, and as much as this one in 35% of cases. Do not pick a row: if anything, trade all at equal risk.',
    )
    expect(batchWords({ ...result, verdict: { ...verdict, code: 'better_than_luck', p: 0.01 } }).isLuck).toBe(false)
    expect(batchWords({ ...result, verdict: { ...verdict, code: 'too_few', best: null } }).title).toContain(
      'No run traded',
    )
  })
})
