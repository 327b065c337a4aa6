/**
 * Puts the predictions of many artifacts on record at one close, by the rooms of the product: how long that takes, and how
 * long a transaction was open meanwhile while nothing was asked of the database (as it is while a model runs).
 *
 *   node bench/sealing.ts [artifacts=500]
 */
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { INSTALLATION, insertArtifact } from '@shapecast/trading/models/active-artifacts'
import { createRooms } from '@shapecast/trading/rooms'
import { memoryVenue } from '@shapecast/trading/test/support/memory-venue'
import { trainQuickly } from '@shapecast/trading/test/support/small-model'
import { withBenchDatabase } from './lib/bench-database.ts'

const HOUR = 3_600_000
const ARTIFACTS = Number(process.argv[2] ?? 500)
const CLOSES = 2
const all = generateCandles({ candles: 1600, seed: 8 })

await withBenchDatabase(async ({ db }) => {
  const log = silentLogger()
  let last = 1500
  const series = { 'BTCUSDT 1h': sliceCandles(all, 0, last + 1) }
  const now = () => all.ts[last]! + HOUR + 1_500
  const queue = await createQueue(db, log)
  const rooms = createRooms({ db, queue, venue: { ...memoryVenue(series), now: async () => now() }, log, now })
  // One training under many names: what it takes to open and run them is the same.
  const trained = await trainQuickly('v3', 'BTCUSDT', sliceCandles(all, 0, 1400))
  for (let i = 0; i < ARTIFACTS; i++)
    await db.orm.transaction((tx) => insertArtifact(tx, { ...trained, version: `v${i + 3}` }, INSTALLATION, 1))

  let idleInTransaction = 0
  let looks = 0
  const look = setInterval(async () => {
    const { rows } = await db.pool.query(
      `select max(extract(epoch from clock_timestamp() - state_change) * 1000)::float8 as ms from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
    looks++
    idleInTransaction = Math.max(idleInTransaction, rows[0].ms ?? 0)
  }, 20)
  const took: string[] = []
  for (let n = 0; n < CLOSES; n++) {
    last++
    series['BTCUSDT 1h'] = sliceCandles(all, 0, last + 1)
    const began = performance.now()
    const cpu = process.cpuUsage()
    const close = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', candleTs: all.ts[last]! } as const
    await rooms.handleClose(close)
    const { user, system } = process.cpuUsage(cpu)
    took.push(
      `${((performance.now() - began) / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time)`,
    )
  }
  clearInterval(look)
  const { rows } = await db.pool.query('select count(*)::int as n from trading.sealed_predictions')
  console.log(`${rows[0].n} sealed at ${CLOSES} closes: ${took.join(', ')}`)
  console.log(`longest idle in a transaction: ${idleInTransaction.toFixed(0)} ms (${looks} looks)`)
  await rooms.predictors.close()
  await queue.stop()
})
