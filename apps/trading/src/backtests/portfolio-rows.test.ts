import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import type { BotRecord } from '@shapecast/contracts/bots'
import { readCandles, sharedFile } from '@shapecast/venues/testing/shared-data'
import { expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { marketOf } from '../market/series-market.ts'
import { backtestBot } from './backtest-bot.ts'
import { orderOf } from './backtest-order.ts'

const HOUR = 3_600_000
const FILES = {
  BTCUSDT: sharedFile('BTCUSDT-1h-2017-2024.csv'),
  ETHUSDT: sharedFile('ETHUSDT-1h.csv'),
  SOLUSDT: sharedFile('SOLUSDT-1h.csv'),
}
/** Final equity of 1, and worst drawdown in percent, of three coins at medium risk, target / n: docs/model-recipe.md. */
const ROWS = {
  steady_risk: [2.837, 26.53],
  trend_steady_risk: [1.9354, 18.49],
  trend_ensemble: [1.7695, 11.24],
} as const

it.skipIf(Object.values(FILES).some(({ missing }) => missing))(
  'a backtest of a bot over three coins comes to the studied figures of its policy',
  async () => {
    const series = Object.fromEntries(
      Object.entries(FILES).map(([symbol, { path }]) => [`${symbol} 1h`, readCandles(path)]),
    )
    const lent = { currentOn: async () => '', requireVersion: async () => {} }
    const deps = {
      market: marketOf(memoryVenue(series)),
      models: { ...lent, find: () => Promise.reject(), use: () => Promise.reject() },
      kept: { find: async () => undefined, put: async () => {} },
      keptVotes: () => Promise.reject(),
      now: () => 0,
    }
    for (const [policy, [equity, drawdown]] of Object.entries(ROWS)) {
      const bot = {
        id: '01890000-0000-7000-8000-000000000001',
        name: policy,
        strategy: 'ml',
        tradingPairs: Object.keys(FILES),
        riskLevel: 'medium',
        marketType: 'spot',
        leverage: 1,
        positionSize: 1,
        // Far above what a lot of 0.001 rounds away.
        initialBalance: 1e8,
        maxDrawdown: 90,
        takeProfitPct: 0,
        stopLossPct: 0,
        mlModelVersion: null,
        mlModelVersions: null,
        consensusConfig: null,
        isVirtual: true,
        parameters: { policy },
      } as unknown as BotRecord
      const request = BacktestRequest.parse({
        mode: 'bot',
        botId: bot.id,
        // The close before the first open decides.
        from: Date.parse('2022-07-01') - HOUR,
        to: Date.parse('2024-04-21') - HOUR,
        feeRate: 0.0006,
        slippageBps: 5,
      })
      const { summary } = await backtestBot(deps, orderOf(request, bot))
      expect(summary.finalBalance / 1e8 / equity, `equity of ${policy}`).toBeCloseTo(1, 3)
      expect(summary.metrics.maxDrawdownPct, `drawdown of ${policy}`).toBeCloseTo(drawdown, 1)
    }
  },
)
