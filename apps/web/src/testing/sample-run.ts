import { type BacktestRun, BacktestRunSummary } from '@shapecast/contracts/backtest'
import type { Metrics } from '@shapecast/contracts/backtest-results'
import type { ComparedRun, RunComparison } from '@shapecast/contracts/run-comparison'

export const sampleMetrics = (over: Partial<Metrics> = {}): Metrics => ({
  trades: 66,
  winRate: 50,
  profitFactor: 1.38,
  maxDrawdownPct: 6.9,
  sharpeLike: 3.78,
  avgTradePnL: 1.61,
  totalReturnPct: 9.53,
  grossPnL: 179.2,
  fees: 73.66,
  slippageCost: 0,
  funding: 0,
  netPnL: 105.54,
  buyAndHoldReturnPct: 12.1,
  ...over,
})

const HOUR_MS = 3_600_000

/** A run over 100 hours from 0 of a model that had seen none of it. */
export const sampleRun = (over: Partial<BacktestRun> = {}): BacktestRun => ({
  _id: '0199d3c0-0000-7000-8000-000000000003',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  venue: 'replay',
  market: 'replay',
  startTime: 0,
  endTime: 99 * HOUR_MS,
  candles: 100,
  initialBalance: 1000,
  finalBalance: 1095.27,
  totalReturnPct: 9.53,
  params: {
    mode: 'bot',
    botId: '0199d3c0-0000-7000-8000-000000000001',
    botName: 'Northwind BTC',
    strategy: 'ml',
    riskLevel: 'medium',
    positionSize: 0.015,
    marketType: 'futures',
    leverage: 10,
    mlModelVersion: 'v3',
    mlModelVersions: null,
    timeframe: '1h',
    feeRate: 0.0006,
    slippageBps: 5,
    noSameBarReentry: true,
    createdAt: 0,
  },
  metrics: sampleMetrics(),
  judged: { by: 'whole_range', returnPct: 9.53 },
  seenRatio: 0,
  meta: {
    signals: { buy: 68, sell: 74, hold: 578 },
    avgConfidence: 0.572,
    entries: 67,
    closes: 66,
    skippedOrders: [],
    haltedAt: null,
    gaps: { count: 0, missingCandles: 0 },
    fundingAssumed: 0,
    candlesFrom: 'stored',
    hashes: { candles: 'c', models: ['m'], parameters: 'p', engine: 'e', result: 'r' },
  },
  seen: { ranges: [], seen: null, unseen: null },
  verdict: null,
  periods: { months: [], weeks: [] },
  openPosition: null,
  trades: [],
  equityCurve: [],
  mlPredictions: [],
  ...over,
})

/** Two runs on four days, of which the models had seen two: the first gained 20 %, the second lost 2 %. */
export function sampleComparison(first: BacktestRun, second: BacktestRun): RunComparison {
  const [from, to] = [48 * HOUR_MS, 95 * HOUR_MS]
  const row = (runId: string | null, returnPct: number, over: Partial<ComparedRun>): ComparedRun => ({
    runId,
    returnPct,
    maxDrawdownPct: 5,
    trades: 4,
    profitFactor: 1.5,
    intervals: null,
    ...over,
  })
  const curve = (runId: string | null, returnPct: number, seenPct: number | null) => ({
    runId,
    points: [
      [from - HOUR_MS, 0],
      [to, returnPct],
    ] as [number, number][],
    monthsPct: [seenPct, returnPct],
  })
  return {
    runs: [first, second].map((run) => BacktestRunSummary.parse(run)),
    verdict: 'winner',
    stretch: { from, to },
    ranking: [row(first._id, 20, {}), row(second._id, -2, { maxDrawdownPct: 9, trades: 3, profitFactor: null })],
    hold: row(null, -25, { maxDrawdownPct: 50, trades: 0, profitFactor: null }),
    months: [
      { from: 0, isSeen: true },
      { from, isSeen: false },
    ],
    curves: [curve(first._id, 20, 1), curve(second._id, -2, null), curve(null, -25, 0)],
  }
}
