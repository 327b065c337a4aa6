/**
 * How long the largest calls of the trading service hold up everything else: the longest stand-still of the event loop
 * while each is answered, beside the time that it takes and
 * how long the loop is busy with it. 120,000 stored hours, five versions. The asker shares the loop; its part is small.
 *
 *   node bench/event-loop.ts
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/generated-candles'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { createSessions } from '@shapecast/platform/sessions'
import { tradingService } from '@shapecast/trading/app'
import { importFile } from '@shapecast/trading/features/market/import-file'
import { openVenue } from '@shapecast/trading/features/market/open-venue'
import { createStoredCandles } from '@shapecast/trading/features/market/stored-candles'
import { insertArtifact } from '@shapecast/trading/features/ml/active-artifacts'
import { trainArtifact } from '@shapecast/trading/features/ml/train-artifact'
import { shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { withBenchDatabase } from './lib/bench-database.ts'
import { median } from './lib/rounds.ts'

const STORED = 120_000
const ROUNDS = 3
const SERIES = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' } as const

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
  const log = silentLogger()
  const path = join(folder, 'candles.csv')
  writeFileSync(path, shapecastCsv(generateCandles({ candles: STORED, seed: 1, startMs: Date.UTC(2012, 0, 1) })))
  await importFile({ db }, { path, symbol: SERIES.symbol, timeframe: '1h' })
  const venue = await openVenue(
    { market: 'replay', testnet: true, replayFrom: null, replaySpeed: 0 },
    { db, stored: createStoredCandles(db), log },
  )
  const queue = await createQueue(db, log)
  const sessions = createSessions({ db, secretKey: 'a key for a measurement only' })
  const { accessToken } = await sessions.issue({ userId: randomUUID(), role: 'user' })
  const app = createHttp(log)
  await app.register(tradingService({ db, queue, venue, log, sessions, testnet: true }))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const newest = await venue.candles(SERIES.symbol, '1h', { limit: 5000 })
  for (const version of ['v1', 'v2', 'v3', 'v4', 'v5']) {
    const candles = sliceCandles(newest, 0, 4000)
    const params = { epochs: 1, seed: Number(version.slice(1)) }
    const artifact = await trainArtifact({ series: SERIES, version, candles, params, createdAtMs: 1 })
    await db.orm.transaction((tx) => insertArtifact(tx, artifact, null, 1))
  }

  const calls: [string, 'GET' | 'POST', string, object?][] = [
    ['one forecast', 'POST', '/api/ml/predict', { symbol: 'BTCUSDT', limit: 300 }],
    [
      'forecasts of five versions',
      'POST',
      '/api/ml/predict-multi',
      { symbol: 'BTCUSDT', versions: ['v1', 'v2', 'v3', 'v4', 'v5'] },
    ],
    ['indicators', 'POST', '/api/ml/indicators', { symbol: 'BTCUSDT' }],
    ['history of 5,000', 'GET', '/api/ml/predictions?symbol=BTCUSDT&timeframe=1h&limit=5000'],
    [
      'comparison of five versions',
      'POST',
      '/api/ml/compare',
      { symbol: 'BTCUSDT', timeframe: '1h', versions: ['v1', 'v2', 'v3', 'v4', 'v5'] },
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
  await app.close()
  await queue.stop()
})
