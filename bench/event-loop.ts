/**
 * How long the largest calls of the trading service hold up everything else: the longest stand-still of the event loop
 * while each is answered, beside the time that it takes and how long the loop is busy with it. 120,000 stored hours, five
 * versions. The asker shares the loop; its part is small.
 *
 *   node bench/event-loop.ts
 */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { withBenchDatabase } from './lib/bench-database.ts'
import { addVersion, openTrading, storeHours } from './lib/bench-trading.ts'
import { median } from './lib/rounds.ts'

const STORED = 120_000
const ROUNDS = 3
const VERSIONS = ['v1', 'v2', 'v3', 'v4', 'v5']

/** Asks and reads to the end, keeping nothing; answers how many bytes came. */
async function bytesOf(url: string, method: string, token: string, body?: object): Promise<number> {
  const asked = request(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
  })
  asked.end(body && JSON.stringify(body))
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  let bytes = 0
  let said = ''
  for await (const piece of reply) {
    bytes += piece.length
    if (reply.statusCode !== 200) said += piece
  }
  if (reply.statusCode !== 200) throw new Error(`${url}: ${said}`)
  return bytes
}

await withBenchDatabase(async ({ db, folder }) => {
  await storeHours(db, folder, generateCandles({ candles: STORED, seed: 1, startMs: Date.UTC(2012, 0, 1) }))
  const { app, venue, accessToken, close } = await openTrading(db)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const candles = sliceCandles(await venue.candles('BTCUSDT', '1h', { limit: 5000 }), 0, 4000)
  for (const version of VERSIONS) await addVersion(db, version, candles, { seed: Number(version.slice(1)) })

  const calls: [string, 'GET' | 'POST', string, object?][] = [
    ['one forecast', 'POST', '/api/ml/predict', { symbol: 'BTCUSDT', limit: 300 }],
    ['forecasts of five versions', 'POST', '/api/ml/predict-multi', { symbol: 'BTCUSDT', versions: VERSIONS }],
    ['indicators', 'POST', '/api/ml/indicators', { symbol: 'BTCUSDT' }],
    ['history of 5,000', 'GET', '/api/ml/predictions?symbol=BTCUSDT&timeframe=1h&limit=5000'],
    [
      'comparison of five versions',
      'POST',
      '/api/ml/compare',
      { symbol: 'BTCUSDT', timeframe: '1h', versions: VERSIONS },
    ],
    ['preview of everything', 'GET', '/api/ml/dataset/preview?symbol=BTCUSDT&timeframe=1h'],
    ['export of 4,600 rows', 'GET', '/api/ml/dataset/export?symbol=BTCUSDT&timeframe=1h&limit=4600'],
    ['export of 100,000 rows', 'GET', '/api/ml/dataset/export?symbol=BTCUSDT&timeframe=1h&limit=100000'],
    ['saving 100,000 rows', 'POST', '/api/ml/dataset/save', { symbol: 'BTCUSDT', timeframe: '1h', limit: 100_000 }],
    ['models', 'GET', '/api/ml/models'],
    ['a model', 'GET', `/api/ml/models/v1`],
    ['10,000 candles', 'GET', '/api/ohlcv/BTCUSDT?timeframe=1h&limit=10000'],
    ['drift', 'GET', '/api/ml/drift'],
    ['leaderboard', 'GET', '/api/ml/leaderboard'],
  ]
  for (const [name, method, url, body] of calls) {
    const [walls, stills, busy]: [number[], number[], number[]] = [[], [], []]
    let bytes = 0
    for (let round = 0; round <= ROUNDS; round++) {
      if (name.startsWith('history')) {
        // What was kept after the last reply is written by then.
        await sleep(1500)
        await db.pool.query('delete from trading.predictions')
      }
      await sleep(20)
      const standing = monitorEventLoopDelay({ resolution: 1 })
      standing.enable()
      const [idle, started] = [performance.eventLoopUtilization(), performance.now()]
      bytes = await bytesOf(address + url, method, accessToken, body)
      const took = performance.now() - started
      const { active } = performance.eventLoopUtilization(idle)
      await sleep(5)
      standing.disable()
      // The first opens models and compiles code.
      if (round === 0) continue
      walls.push(took)
      stills.push(standing.max / 1e6)
      busy.push(active)
    }
    console.log(
      `${name.padEnd(28)} ${(bytes / 1000).toFixed(0).padStart(6)} kB in ${median(walls).toFixed(0).padStart(5)} ms; the event loop ` +
        `is busy for ${median(busy).toFixed(0).padStart(4)} ms, stands still for up to ${median(stills).toFixed(0).padStart(3)}`,
    )
  }
  await close()
})
