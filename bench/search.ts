/**
 * A search of 1,000 parameter sets of an EMA cross with stops (10 fast × 10 slow × 10 stops) over a file of hourly candles, all
 * of them, in threads: seconds by the clock, processor seconds and the largest memory, without the verdict; then the verdict's
 * bootstrap (999 draws), and five and ten times as many points, for which memory must not grow. With PYTHON, an interpreter that has
 * vectorbt, also its broadcast of the same 1,000.
 *
 *   [PYTHON=python3] node bench/search.ts FILE.csv [threads]
 */
import { spawnSync } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { combinationsOf } from '@shapecast/contracts/search'
import type { PlannedBot } from '@shapecast/engine/policies/plan'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { joinPoints, openPoints } from '@shapecast/trading/search/run-points'
import type { PointsPart } from '@shapecast/trading/search/search-thread'
import { readAllCandles } from './study/read-file.ts'

const [file, threads = '2'] = process.argv.slice(2)
if (file === undefined) throw new Error('node bench/search.ts FILE.csv [threads]')

const steps = (from: number, by: number, count: number) => Array.from({ length: count }, (_, k) => from + k * by)
const spaceOf = (slow: number[]) => [
  { name: 'fast', values: steps(4, 4, 10) },
  { name: 'slow', values: slow },
  { name: 'stop', values: steps(1, 0.5, 10) },
]
const SPACE = spaceOf(steps(50, 12, 10))

const bot: PlannedBot = {
  tradingPairs: ['BTCUSDT'],
  riskLevel: 'medium',
  marketType: 'spot',
  positionSize: 0.001,
  leverage: 1,
  maxDrawdown: 0,
  takeProfitPct: 0,
  stopLossPct: 0,
  initialBalance: 1000,
  mlModelVersion: null,
  mlModelVersions: null,
  consensusConfig: null,
  isVirtual: true,
  parameters: {
    policy: 'rule',
    rule: 'enter: ema({fast}) crosses above ema({slow}) exit: ema({fast}) crosses below ema({slow}) stop: {stop}%',
    sizing: { kind: 'percent_of_equity', pct: 100 },
  },
}

const candles = await readAllCandles(file, '1h')
const ground = (parameters: SearchGround['space']['parameters']): SearchGround => ({
  candles,
  from: 0,
  timeframe: '1h',
  forecast: null,
  bot,
  costs: { feeRate: 0.0006, slippageBps: 5, noSameBarReentry: true, lotSize: 0, minNotional: 0 },
  funding: null,
  space: { parameters, sample: null },
})

async function measure(what: string, parameters: SearchGround['space']['parameters'], draws: number): Promise<void> {
  let largest = process.memoryUsage().rss
  const watch = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().rss)
  }, 20)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const processor = process.cpuUsage()
  const startedAt = performance.now()
  const options = { threads: Number(threads), minTrades: 1, seed: 1, draws }
  const points = openPoints(ground(parameters), options)
  const shown = (current: number) => ({ current, total: points.count })
  const join = (parts: readonly PointsPart[]) => joinPoints(points, parts)
  const alone = { signal: AbortSignal.any([]), report: () => undefined }
  const { figures, check } = await doAllParts({ ...points, basis: '', shown, join }, alone)
  const sharpe = figures.sharpe.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const best = `best Sharpe ratio ${sharpe.toFixed(3)}${check === null ? '' : `, p ${check.p}`}`
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(watch)
  const { user, system } = process.cpuUsage(processor)
  console.log(
    `${what}: ${combinationsOf(parameters)} points on ${candles.length} candles in ${seconds.toFixed(2)} s, ` +
      `processor ${((user + system) / 1e6).toFixed(2)} s, at most ${(largest / 1e6).toFixed(0)} MB, ` +
      `the process waited ${(delay.max / 1e6).toFixed(0)} ms at the longest; ${best}`,
  )
}

await measure('points', SPACE, 0)
await measure('with the bootstrap', SPACE, 999)
await measure('five times as many', spaceOf(steps(50, 2, 50)), 0)
await measure('ten times as many', spaceOf(steps(50, 2, 100)), 0)

const { PYTHON } = process.env
if (PYTHON !== undefined) {
  const script = new URL('./lib/vectorbt_search.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync(PYTHON, [script, file], { encoding: 'utf8' })
  console.log(
    status === 0 ? `vectorbt: ${stdout.trim()}` : `vectorbt cannot be measured: ${stderr.trim().split('\n').at(-1)}`,
  )
}
