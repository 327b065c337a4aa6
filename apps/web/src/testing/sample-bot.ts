import type { BotResults } from '@shapecast/contracts/bot-results'
import type { Bot } from '@shapecast/contracts/bots'

/** A bot of mira's. */
export const sampleBot = (change: Partial<Bot> = {}): Bot => ({
  id: '01890000-0000-7000-8000-0000000000b1',
  // mira
  userId: '01890000-0000-7000-8000-000000000001',
  venue: 'simulated',
  name: 'Northwind',
  description: 'Hourly trend.',
  strategy: 'ml',
  status: 'stopped',
  statusReason: null,
  visibility: 'private',
  isVirtual: true,
  tradingPairs: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'ADAUSDT'],
  positionSize: 0.015,
  maxDrawdown: 10,
  riskLevel: 'medium',
  marketType: 'futures',
  leverage: 10,
  takeProfitPct: 4,
  stopLossPct: 0,
  initialBalance: 1000,
  currentBalance: 1062.4,
  totalPnL: 62.4,
  closedPnL: 62.4,
  openPnL: 0,
  positions: [],
  totalTrades: 8,
  winningTrades: 3,
  lastTradeAt: null,
  mlModelVersion: 'v3.2',
  mlModelVersions: null,
  consensusConfig: null,
  parameters: null,
  models: [],
  createdAt: 1_700_000_000_000,
  ...change,
})

/** The account of the sample bot without an open position. */
export const NO_POSITION = {
  botId: sampleBot().id,
  venue: 'simulated',
  isVirtual: true,
  currency: 'USDT',
  initialBalance: 1000,
  balance: 1062.4,
  equity: 1073.18,
  closedPnL: 62.4,
  openPnL: 10.78,
  realizedPnL: 62.4,
  unrealizedPnL: 10.78,
  fees: 3,
  drawdownPct: 2.73,
  worstDrawdownPct: 6,
  winInterval: null,
  positions: [],
}

/** Of a bot that has done nothing. */
export const NO_RESULTS: BotResults = {
  trades: 0,
  expectancy: null,
  averageWin: null,
  averageLoss: null,
  longestLosingRun: 0,
  fees: 0,
  timeInMarketPct: null,
  exposurePct: null,
  slippage: null,
  months: [],
  years: [],
  decisions: [],
}
