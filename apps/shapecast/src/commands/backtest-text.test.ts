import type { RandomEntries, RunVerdict } from '@shapecast/contracts/backtest-results'
import type { FinishedRun } from '@shapecast/trading/backtests/run-store'
import { describe, expect, it } from 'vitest'
import { textOfRun } from './backtest-text.ts'

const metrics = {
  trades: 3,
  winRate: 33.333,
  profitFactor: 0.5,
  maxDrawdownPct: 4,
  sharpeLike: null,
  avgTradePnL: -0.4,
  totalReturnPct: -1.2,
  grossPnL: -0.5,
  fees: 0.5,
  slippageCost: 0.2,
  funding: 0,
  netPnL: -1.2,
  buyAndHoldReturnPct: 2,
}
const HOUR_MS = 3_600_000

/** What a text is made of; the rest of a run is not looked at. */
function run(over: {
  verdict?: RunVerdict
  seenRatio?: number
  randomEntries?: RandomEntries
  unseen?: object | null
  haltedAt?: number | null
  fundingAssumed?: number
}) {
  const { seenRatio = 0.25, unseen = { from: 300 * HOUR_MS, to: 400 * HOUR_MS, candles: 100, metrics } } = over
  return {
    summary: {
      symbol: 'BTCUSDT',
      timeframe: '1h',
      venue: 'simulated',
      market: 'simulated',
      startTime: 0,
      endTime: 400 * HOUR_MS,
      candles: 400,
      initialBalance: 100,
      finalBalance: 98.8,
      totalReturnPct: -1.2,
      metrics,
      seenRatio,
      params: {
        botName: 'v3 model only',
        positionSize: 0.015,
        marketType: 'futures',
        leverage: 30,
        feeRate: 0.0006,
        slippageBps: 5,
      },
    },
    detail: {
      seen: { ranges: [], seen: null, unseen },
      verdict: over.verdict ?? 'too_few',
      openPosition: null,
      randomEntries: over.randomEntries,
      meta: {
        gaps: { count: 0, missingCandles: 0 },
        skippedOrders: [],
        haltedAt: over.haltedAt ?? null,
        fundingAssumed: over.fundingAssumed,
        hashes: { result: 'abc' },
      },
    },
  } as unknown as FinishedRun
}

describe('the text of a backtest', () => {
  it('says size, leverage and costs, and that prices are simulated', () => {
    const text = textOfRun(run({}))
    expect(text).toContain('SIMULATED prices')
    expect(text).toContain('position size 0.015, futures at 30×; fee 0.06% and slippage 5 bps on each fill')
  })

  it('calls funding unknown where no rate is known', () => {
    expect(textOfRun(run({}))).toMatch(/Funding\s+unknown/)
    expect(textOfRun(run({ fundingAssumed: 0 }))).toMatch(/Funding\s+0\.0000/)
  })

  it('sends to the unseen part only where there is one', () => {
    expect(textOfRun(run({}))).toContain('have seen 25.0% of this range: judge by the unseen part.')
    expect(textOfRun(run({ seenRatio: 1, unseen: null }))).toContain(
      'have seen 100.0% of this range: it judges nothing',
    )
    expect(textOfRun(run({ seenRatio: 0 }))).toContain('have seen none of this range')
  })

  it('says what random entries would have done, for a rule', () => {
    const entries = { trades: 60, isUnseenPart: false, netReturnPct: 3.38, random: null }
    expect(textOfRun(run({ randomEntries: { ...entries, code: 'cannot_tell', p: 0.272 } }))).toContain(
      '27.2% of random entries, on the same sides and held as long, did as well (60 trades): its timing cannot be told from random.',
    )
    expect(
      textOfRun(run({ randomEntries: { ...entries, code: 'better_than_random', p: 0.01, isUnseenPart: true } })),
    ).toContain('did as well (60 trades of the unseen part): its timing was better than random.')
    expect(textOfRun(run({ randomEntries: { ...entries, code: 'too_few_trades', trades: 12, p: null } }))).toContain(
      'Against random entries: 12 trades are too few to tell, at least 30 are needed.',
    )
  })

  it('says how to test the unseen part where a halt left it without trades', () => {
    const text = textOfRun(run({ verdict: 'halted_before', haltedAt: 10 * HOUR_MS }))
    expect(text).toContain('halted it before the unseen part began')
    expect(text).toContain('--limit 100')
  })
})

describe('how far chance goes', () => {
  const of = (more: object) => {
    const intervals = {
      unit: 'trade' as const,
      units: 12,
      wins: 7,
      losses: 5,
      autocorrelation: 0.1,
      isTooNarrow: false,
      totalReturnPct: null as [number, number] | null,
      profitFactor: null,
      sharpe: null,
      verdict: 'too_few' as const,
      ...more,
    }
    return textOfRun(run({ unseen: { from: 1, to: 2, candles: 1, metrics, intervals } }))
  }

  it('is said of the part to judge by, with the verdict', () => {
    expect(of({ totalReturnPct: [-64.2, 150], verdict: 'may_be_luck' })).toContain(
      '95% interval of the return of the unseen part, by trade: -64.2 to +150.0%: it may be luck either way.',
    )
    expect(of({ totalReturnPct: [-92.4, 0], verdict: 'lost_beyond_chance' })).toContain(
      'by trade: -92.4 to 0.0%: it lost more than chance explains.',
    )
  })

  it('says why there is no interval, and where it is too narrow', () => {
    expect(of({})).toContain(
      'No 95% interval of the return of the unseen part: it has 12 trades, at least 30 are needed.',
    )
    expect(of({ verdict: 'too_few_wins_or_losses', units: 48, wins: 46, losses: 2 })).toContain(
      'of 48 trades 46 won and 2 lost, at least 5 of each are needed.',
    )
    const day = { unit: 'day', isTooNarrow: true, autocorrelation: 0.52 }
    expect(of({ ...day, totalReturnPct: [1, 2], verdict: 'gained_beyond_chance' })).toContain(
      'It is too narrow: each day resembles the one before (correlation 0.52).',
    )
    expect(textOfRun(run({}))).not.toContain('95% interval')
  })
})

it('names the policy and its risk where these decide the size, and the drawdown limit', () => {
  const tested = run({})
  Object.assign(tested.summary.params, { riskLevel: 'low', maxDrawdown: 12, parameters: { policy: 'steady_risk' } })
  expect(textOfRun(tested)).toContain('Steady risk at low risk, futures at 30×, drawdown limit 12%; fee 0.06%')
})
