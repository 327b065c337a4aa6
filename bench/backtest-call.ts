/**
 * From a call of a backtest to its run, through HTTP, queue, worker and an embedded PostgreSQL: the first one of a model
 * and a range, and the next ones with other sizes, costs, stops and policies, whose forecasts are kept.
 *
 *   node bench/backtest-call.ts [CANDLES]
 */

import { randomUUID } from 'node:crypto'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { tradingService } from '@shapecast/trading/app'
import { createEventHub } from '@shapecast/trading/market/feed/event-hub'
import { listenToMessages } from '@shapecast/trading/market/feed/listener'
import { registerTradingWorker } from '@shapecast/trading/worker'
import { withBenchDatabase } from './lib/bench-database.ts'
import { addVersion, storeHours, tradingParts } from './lib/bench-trading.ts'
import { taken } from './lib/cpu-time.ts'
import { median } from './lib/rounds.ts'

const LIMIT = Number(process.argv[2] ?? 1000)
const ROUNDS = 12
const HOUR = 3_600_000
const END = Date.UTC(2025, 0, 1)

await withBenchDatabase(async ({ db, folder }) => {
  const candles = Math.max(20_000, 2 * LIMIT)
  await storeHours(db, folder, generateCandles({ candles, seed: 1, startMs: END - candles * HOUR }))
  const log = silentLogger()
  const parts = await tradingParts(db, log)
  // Before the worker, which would train a first model meanwhile.
  await addVersion(db, 'v3', await parts.venue.candles('BTCUSDT', '1h', { limit: 5000 }))
  const hub = createEventHub({ venue: parts.venue.name, now: Date.now })
  const listener = await listenToMessages({ url: db.url, log, onMessages: hub.publish, onGap: hub.reset })
  const app = createHttp(log)
  await app.register(tradingService({ ...parts, hub, testnet: true }))
  const worker = await registerTradingWorker(parts)
  const { accessToken } = await parts.sessions.issue({ userId: randomUUID(), role: 'admin' })
  const post = async (url: string, payload: object) => {
    const reply = await app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${accessToken}` },
      payload,
    })
    if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.body}`)
    return reply
  }
  const bot = async (draft: object) =>
    (await post('/api/bots', { name: 'b', mlModelVersion: 'v3', initialBalance: 1000, ...draft })).json().data
      .botId as string
  const bots = [
    await bot({ marketType: 'futures', positionSize: 0.5 }),
    await bot({ marketType: 'futures', positionSize: 0.7, stopLossPct: 2 }),
    await bot({ parameters: { policy: 'model_brake' } }),
    await bot({ parameters: { policy: 'steady_risk' } }),
  ]
  const run = (botId: string, more: object = {}) =>
    taken(() => post('/api/backtest/run', { botId, limit: LIMIT, ...more }))
  const words = (times: readonly { wall: number; cpu: number }[]): string =>
    `${median(times.map(({ wall }) => wall)).toFixed(0)} ms (processor time ${median(times.map(({ cpu }) => cpu)).toFixed(0)} ms)`
  const first = await run(bots[0]!)
  const next: { wall: number; cpu: number }[] = []
  for (let k = 0; k < ROUNDS; k++) next.push(await run(bots[k % bots.length]!, { feeRate: k / 10_000 }))
  console.log(`${LIMIT} candles: first ${words([first])}; then ${words(next)}`)
  await app.close()
  await worker.stop()
  await listener.stop()
  await parts.queue.stop()
})
