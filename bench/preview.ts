/**
 * What the create dialog asks while settings are typed: the preview of a policy on up to four files of hourly candles, each
 * coin alone and a year from every seventh day included. Processor time is what a busy machine stretches least.
 *
 *   node bench/preview.ts BTC.csv [ETH.csv …] [rounds]
 */
import { readFileSync } from 'node:fs'
import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { candlesFromRows } from '@shapecast/engine/candles'
import { targetPlanOf } from '@shapecast/engine/policies/targets'
import { previewOf } from '../apps/trading/src/backtests/preview-run.ts'

const files = process.argv.slice(2).filter((word) => word.endsWith('.csv'))
const rounds = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 3)
if (files.length === 0) throw new Error('Name a file of candles: node bench/preview.ts BTC.csv')
const pairs = files.map((file, k) => ({
  symbol: `COIN${k}USDT`,
  candles: candlesFromRows(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').map(Number)),
  ),
  lotSize: 0.00001,
  minNotional: 5,
  tickSize: 0.01,
}))
const targets = targetPlanOf({ policy: 'trend_ensemble', riskLevel: 'medium', pairs: pairs.length })!
const settings = {
  market: 'spot',
  initialBalance: 1000,
  leverage: 1,
  sizing: { kind: 'fixed', quantity: 1 },
  takeProfitPct: 0,
  stopLossPct: 0,
  maxDrawdownPct: 30,
  targetBand: targets.band,
} as const
const plan = { versions: [], consensus: null, requireEdge: false, targets, settings }
for (let round = 0; round < rounds; round++) {
  const [began, used] = [performance.now(), process.cpuUsage()]
  const { years } = previewOf({ plan, timeframe: '1h', costs: COST_DEFAULTS, pairs })
  const { user, system } = process.cpuUsage(used)
  const cpu = Math.round((user + system) / 1000)
  console.log(
    `${files.length} coins, ${years?.starts ?? 0} starts: ${cpu} ms of processor, ${Math.round(performance.now() - began)} ms`,
  )
}
