import { profile } from '@shapecast/contracts/auth'
import { cancelJob, resumeJob } from '@shapecast/contracts/jobs'
import {
  createSearch,
  deleteSearch,
  type Search,
  type SearchResult,
  type SearchSummary,
  search,
  searches,
  searchGround,
  takeSearch,
} from '@shapecast/contracts/search'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../../testing/render-app.tsx'

const ID = '01890000-0000-7000-8000-0000000000aa'
const DAY = 86_400_000

const RESULT: SearchResult = {
  searched: { from: 0, to: 399 * DAY, candles: 400, days: 398 },
  kept: { from: 400 * DAY, to: 499 * DAY, candles: 100 },
  fundingAssumed: null,
  parameters: [
    { name: 'ema_20', label: 'ema(20)', values: [10, 20] },
    { name: 'ema_100', label: 'ema(100)', values: [60, 100] },
  ],
  points: {
    choices: [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ],
    sharpe: [0.4, 1.91, -0.3, null],
    netReturnPct: [10, 75, -4, 0],
    maxDrawdownPct: [12, 8.7, 20, 1],
    trades: [30, 61, 44, 2],
  },
  best: {
    point: 1,
    values: { ema_20: 10, ema_100: 100 },
    rule: 'enter: ema(10) > ema(100)',
    sharpe: 1.91,
    interval: [0.67, 3.13],
  },
  intervals: [
    { point: 1, interval: [0.67, 3.13] },
    { point: 0, interval: null },
  ],
  luck: {
    sharpe: 1.58,
    tries: 1413,
    effectiveTries: 1409.2,
    meanCorrelation: 0.4,
    probability: 0.66,
    minTrackRecordDays: null,
  },
  overfitting: { probability: 0.52, choices: 12_870 },
  keptRun: { returnPct: -4.66, interval: [-25.8, 23.2], holdPct: 3.51, trades: 12, maxDrawdownPct: 8 },
  moved: [
    { name: 'ema_20', share: 0.5, best: 10, worst: 20 },
    { name: 'ema_100', share: 0.25, best: 100, worst: 60 },
  ],
  curves: {
    t: [0, 399 * DAY, 499 * DAY],
    best: [0, 75, 66],
    median: [0, 10, null],
    worst: [0, -24, null],
    hold: [0, 8, 12],
  },
  model: null,
  seconds: 41,
}

const SUMMARY: SearchSummary = {
  id: ID,
  status: 'completed',
  progress: { current: 4, total: 4, leftS: 0 },
  error: null,
  createdAt: 1_700_000_000_000,
  finishedAt: 1_700_000_041_000,
  venue: 'simulated',
  title: 'Rule on BTCUSDT 1h',
  request: {
    kind: 'rule',
    rule: 'enter: ema({ema_20}) > ema({ema_100})',
    symbol: 'BTCUSDT',
    timeframe: '1h',
    limit: 500,
    parameters: RESULT.parameters,
    keptPct: 20,
    minTrades: 5,
    marketType: 'spot',
    initialBalance: 1000,
    feeRate: 0.0006,
    slippageBps: 5,
  },
  verdict: { code: 'cannot_tell', p: 0.09, kept: 'opened', points: 4, sharpe: 1.91 },
  own: true,
}
const SEARCH: Search = { ...SUMMARY, tries: { count: 1413, byKind: { search: 1413 } }, result: RESULT }

function installation(found: Search = SEARCH) {
  const server = emptyInstallation()
  server.on(searches, () => [])
  server.on(search, () => found)
  server.on(searchGround, () => ({
    searched: { from: 0, to: 399 * DAY, candles: 16_000 },
    kept: { from: 400 * DAY, to: 499 * DAY, candles: 4000 },
    keptOpenedAt: null,
    tries: { count: 213, byKind: { preview: 152, backtest: 61 } },
  }))
  return server
}
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name })

describe('a new search', () => {
  it('asks for the values of what is ticked, and says what it will stand on', async () => {
    const server = installation()
    const asked = server.bodies(createSearch, { id: ID })
    await openApp(server, '/backtest/search')
    await screen.findByText(
      'Not opened yet: no backtest, preview or search of yours has used it. Its prices you may have seen.',
    )
    expect(screen.getByText('searched: 16,000 candles, to 4 Feb 1971')).toBeTruthy()
    expect(screen.getByText('560,000')).toBeTruthy()
    expect(screen.getByText('248')).toBeTruthy()

    fireEvent.click(await screen.findByRole('checkbox', { name: 'Search stop' }))
    const values = await screen.findByLabelText('Values of stop')
    fireEvent.change(values, { target: { value: '5 to 3' } })
    expect(await screen.findByText('The second value must be at least the first')).toBeTruthy()
    expect((await button(/^Search 35/)).disabled).toBe(true)
    fireEvent.change(values, { target: { value: '2, 4' } })
    fireEvent.click(await button('Search 70 combinations'))
    await screen.findByRole('heading', { name: 'No better than luck' })
    expect(asked).toMatchObject([
      {
        kind: 'rule',
        rule: 'enter: ema({ema_20}) crosses above ema({ema_100})\nexit: ema({ema_20}) crosses below ema({ema_100})\nstop: {stop_4}%',
        parameters: [{ name: 'ema_20' }, { name: 'ema_100' }, { name: 'stop_4', label: 'stop', values: [2, 4] }],
      },
    ])
  })

  it('says that a kept part was opened before, and that none is kept', async () => {
    const server = installation()
    server.on(searchGround, () => ({
      searched: { from: 0, to: 1, candles: 16_000 },
      kept: { from: 2, to: 3, candles: 4000 },
      keptOpenedAt: Date.UTC(2026, 10, 20),
      tries: { count: 0, byKind: {} },
    }))
    await openApp(server, '/backtest/search')
    await screen.findByText(/^Opened on 20 Nov 2026 by a run of yours/)
    const none = screen.getByRole('button', { name: 'None' })
    fireEvent.mouseDown(none)
    await screen.findByText(/^With no part kept unseen the settings cannot be taken/)
  })

  it('is off for who may not run one', async () => {
    const server = installation()
    server.on(profile, () => ({ user: { ...MIRA, role: 'user' as const } }))
    await openApp(server, '/backtest/search')
    expect((await button('Search disabled for your role')).disabled).toBe(true)
  })

  it('lists those of before, which can be deleted', async () => {
    const server = installation()
    let left = [SUMMARY]
    server.on(searches, () => left)
    server.on(deleteSearch, () => {
      left = []
      return { ok: true as const }
    })
    await openApp(server, '/backtest/search')
    expect((await screen.findByRole('link', { name: 'Rule on BTCUSDT 1h' })).getAttribute('href')).toBe(
      `/backtest/search?search=${ID}`,
    )
    fireEvent.click(await button('Delete the search Rule on BTCUSDT 1h'))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('No search yet. The first one appears here, with its verdict.')
  })
})

describe('a search that runs', () => {
  const running = {
    ...SEARCH,
    status: 'running',
    verdict: null,
    result: null,
    progress: { current: 744, total: 1200, leftS: 16 },
  } as const

  it('says how far it is, withholds the best, can be cancelled and goes on', async () => {
    const server = installation(running)
    server.on(cancelJob, () => {
      server.on(search, () => ({ ...running, status: 'cancelled' as const }))
      return { id: ID }
    })
    await openApp(server, `/backtest/search?search=${ID}`)
    await screen.findByText('Running, 744 of 1,200 combinations · about 16 s left')
    await screen.findByRole('heading', { name: 'The best so far is not shown' })
    fireEvent.click(await button('Cancel the search'))
    await screen.findByText('Cancelled after 744 combinations: no verdict, nothing shown')
    expect(screen.getByText(/The 744 count as tries \(1,413 in all\)/)).toBeTruthy()
    server.on(resumeJob, () => {
      server.on(search, () => ({ ...running, progress: { ...running.progress, beganAgain: true } }))
      return { id: ID }
    })
    fireEvent.click(await button('Go on with the search'))
    await screen.findByText(/it started again from the first combination/)
  })

  it('that failed says why', async () => {
    await openApp(
      installation({ ...running, status: 'failed', error: 'None of the 12 combinations closed 900 trades.' }),
      `/backtest/search?search=${ID}`,
    )
    await screen.findByText('None of the 12 combinations closed 900 trades.')
  })
})

describe('what a search found', () => {
  it('is the verdict first: luck, overfitting and the kept part', async () => {
    await openApp(installation(), `/backtest/search?search=${ID}`)
    await screen.findByRole('heading', { name: 'No better than luck' })
    for (const line of [
      'The best of 4 has a Sharpe of 1.91 on the searched part; over 1,413 tries on this series luck alone gives about 1.58.',
      'Chosen on one half of the history, the winner fell into the lower half of all settings on the other in 52% of 12,870 splits.',
      'On the part kept unseen it lost 4.66% while holding made 3.51%; 12 trades, so this alone proves little.',
    ])
      expect(screen.getByText(line)).toBeTruthy()
    const best = within(screen.getByRole('table', { name: 'The best combinations' }))
    expect(
      best
        .getAllByRole('row')
        .slice(1)
        .map((row) =>
          within(row)
            .getAllByRole('cell')
            .slice(3, 5)
            .map(({ textContent }) => textContent),
        ),
    ).toEqual([
      ['1.91', '0.67 to 3.13'],
      ['0.40', '—'],
      ['−0.30', '—'],
    ])
    expect(
      within(screen.getByRole('region', { name: 'Sharpe ratio by two parameters' }))
        .getByText('1.9')
        .closest('[data-best]'),
    ).not.toBeNull()
  })

  it('that is luck is taken anyway, as a virtual bot that says so', async () => {
    const server = installation()
    const asked = server.bodies(takeSearch, { botId: ID })
    await openApp(server, `/backtest/search?search=${ID}`)
    expect((await button('Take these settings')).disabled).toBe(true)
    expect(screen.getByText(/^Off: 9.0% of reshuffled histories do as well by luck/)).toBeTruthy()
    fireEvent.click(await button('Take anyway'))
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Lucky' } })
    fireEvent.click(await button('Make a virtual bot'))
    await waitFor(() => expect(asked).toEqual([{ name: 'Lucky', anyway: true }]))
  })

  it('that is more than luck on an opened kept part is taken as it is', async () => {
    const verdict = { ...SUMMARY.verdict!, code: 'better_than_luck' as const, p: 0.012 }
    await openApp(installation({ ...SEARCH, verdict }), `/backtest/search?search=${ID}`)
    await screen.findByRole('heading', { name: 'More than luck, so far' })
    expect((await button('Take these settings')).disabled).toBe(false)
    expect(screen.queryByRole('button', { name: 'Take anyway' })).toBeNull()
  })

  it('on a kept part that was spent proves nothing', async () => {
    const verdict = { ...SUMMARY.verdict!, code: 'better_than_luck' as const, p: 0.012, kept: 'spent' as const }
    await openApp(
      installation({ ...SEARCH, verdict, result: { ...RESULT, keptRun: null } }),
      `/backtest/search?search=${ID}`,
    )
    await screen.findByRole('heading', { name: 'More than luck where it was chosen' })
    expect((await button('Take these settings')).disabled).toBe(true)
  })

  it('that could not be loaded says so', async () => {
    const server = installation()
    server.on(search, () => {
      throw new Refusal(404, 'not_found', 'This search does not exist, or somebody else asked for it.')
    })
    await openApp(server, `/backtest/search?search=${ID}`)
    await screen.findByText('This search does not exist, or somebody else asked for it.')
  })
})
