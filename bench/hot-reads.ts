/**
 * Processor time (user and system, of the server alone) of one request to each address that an open page asks again and
 * again, through the whole gateway, in turns.
 *
 *   node bench/hot-reads.ts
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSessions } from '@shapecast/platform/sessions'
import { importFile } from '@shapecast/trading/market/import-file'
import { randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { withBenchDatabase } from './lib/bench-database.ts'
import { serve } from './lib/bench-process.ts'
import { BENCH_SECRET } from './lib/bench-trading.ts'
import { loadHttp } from './lib/http-load.ts'
import { median } from './lib/rounds.ts'

const ROUND = 2_000
const ROUNDS = 7
const WARM_UPS = 2
const WEB_CLIENT = join(import.meta.dirname, '../apps/web/dist')
const CANDLES = 'ohlcv/BTCUSDT?timeframe=1h&limit=100'

await withBenchDatabase(async ({ db, folder }) => {
  const path = join(folder, 'candles.csv')
  writeFileSync(path, shapecastCsv(randomCandles(20_000, Date.UTC(2023, 0, 1), '1h')))
  await importFile({ db }, { path, symbol: 'BTCUSDT', timeframe: '1h' })
  const sessions = createSessions({ db, secretKey: BENCH_SECRET })
  const userId = '01890000-0000-7000-8000-00000000000a'
  const { accessToken } = await sessions.issue({ userId, role: 'user' })
  const signedIn = { authorization: `Bearer ${accessToken}` }
  const zipped = { 'accept-encoding': 'gzip, deflate, br' }
  const asked: [string, string, Record<string, string>][] = [
    ['candles, public', `/bot/public/${CANDLES}`, {}],
    ['candles, public, compressed', `/bot/public/${CANDLES}`, zipped],
    ['candles, signed in', `/bot/api/${CANDLES}`, signedIn],
    ['ticker, public', '/bot/public/ticker/BTCUSDT', {}],
    ['ticker, signed in', '/bot/api/ticker/BTCUSDT', signedIn],
    ['markets, public', '/bot/public/markets', {}],
    ['health', '/bot/health', {}],
  ]
  if (existsSync(WEB_CLIENT)) {
    const [script] = readdirSync(join(WEB_CLIENT, 'assets')).filter(
      (name) => name.startsWith('charts-') && name.endsWith('.js'),
    )
    asked.push(['the page', '/', {}], ['the page of a screen, compressed', '/models', zipped])
    asked.push(['a script, compressed', `/assets/${script}`, zipped])
  }
  const server = await serve('product', db.url, WEB_CLIENT)
  const spent = new Map(asked.map(([name]) => [name, [] as number[]]))
  for (let round = 0; round < WARM_UPS + ROUNDS; round++)
    for (const [name, address, headers] of asked) {
      const before = await server.cpuUs()
      const { status } = await loadHttp(server.port, address, ROUND, { headers })
      if (status['200'] !== ROUND) throw new Error(`${name} answered ${JSON.stringify(status)}`)
      if (round >= WARM_UPS) spent.get(name)!.push(((await server.cpuUs()) - before) / ROUND)
    }
  for (const [name, us] of spent) console.log(`${name.padEnd(36)} ${median(us).toFixed(1).padStart(8)} µs of processor`)
  await server.stop()
})
