/**
 * What a real exchange costs: loading the code of one against loading all of ccxt, each in a process of its own; and
 * 100,000 one-minute candles of history through our venue against the same pages fetched bare and thrown away, from an
 * exchange on this machine.
 *
 *   node bench/exchange-history.ts
 */
import { execFileSync } from 'node:child_process'
import { emptyCandles } from '@shapecast/engine/candles'
import { openExchange } from '@shapecast/venues/ccxt/live-markets'
import { startLocalExchange } from '@shapecast/venues/local-exchange/local-exchange'
import { median } from './lib/rounds.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2024, 0, 1)
const CANDLES = 100_000
const VENUES = new URL('../packages/venues/', import.meta.url)

/** Processor time (ms) and memory that a program takes. */
function loading(program: string): { ms: number; megabytes: number } {
  const measured = `
    const before = process.memoryUsage().rss, cpu = process.cpuUsage()
    ${program}
    const { user, system } = process.cpuUsage(cpu)
    console.log(JSON.stringify({ ms: (user + system) / 1e3, megabytes: (process.memoryUsage().rss - before) / 1e6 }))`
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', measured], {
    cwd: VENUES,
    encoding: 'utf8',
  })
  return JSON.parse(text)
}
const PROGRAMS = {
  one: `
    const { loadExchange } = await import('@shapecast/venues/ccxt/load-exchange')
    await loadExchange('binance')`,
  all: `const { default: ccxt } = await import('ccxt'); new ccxt.pro.binance()`,
}
const ones: ReturnType<typeof loading>[] = []
const alls: ReturnType<typeof loading>[] = []
for (let round = 0; round < 5; round++) {
  ones.push(loading(PROGRAMS.one))
  alls.push(loading(PROGRAMS.all))
}
const middle = (of: typeof ones) => ({ ms: median(of.map((m) => m.ms)), megabytes: median(of.map((m) => m.megabytes)) })
const one = middle(ones)
const all = middle(alls)
const said = ({ ms, megabytes }: typeof one) => `${ms.toFixed(0)} ms of processor time, ${megabytes.toFixed(0)} MB`
console.log(`one exchange: ${said(one)}; all of ccxt: ${said(all)} (${(all.ms / one.ms).toFixed(1)} times)`)

const candles = emptyCandles(CANDLES + 1)
for (let i = 0; i < candles.length; i++) {
  candles.ts[i] = START + i * MINUTE_MS
  candles.open[i] = candles.low[i] = 100 + (i % 7)
  candles.high[i] = candles.close[i] = 101 + (i % 7)
  candles.volume[i] = 1 + (i % 11)
}
const exchange = await startLocalExchange({ series: { BTCUSDT: candles }, startMs: START + CANDLES * MINUTE_MS })
const venue = await openExchange('binance', { urls: exchange.urls, now: () => exchange.clock.now() })
await venue.markets()

const query = { symbol: 'BTCUSDT', timeframe: '1m', fromMs: START, toMs: START + (CANDLES - 1) * MINUTE_MS } as const
for (let round = 1; round <= 3; round++) {
  const ourStart = performance.now()
  let taken = 0
  for await (const chunk of venue.history(query)) taken += chunk.candles.length
  const ours = performance.now() - ourStart
  if (taken !== CANDLES) throw new Error(`${taken} candles instead of ${CANDLES}`)

  const bareStart = performance.now()
  for (let page = 0; page < CANDLES / 1000; page++) {
    const since = START + page * 1000 * MINUTE_MS
    const path = `/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=1000&startTime=${since}`
    await (await fetch(`http://${exchange.address}${path}`)).json()
  }
  const bare = performance.now() - bareStart
  const rate = Math.round((CANDLES / ours) * 1000).toLocaleString('en')
  console.log(`round ${round}: ${rate} candles/s; ${(ours / bare).toFixed(2)} times the bare fetches`)
}
await venue.close()
await exchange.close()
