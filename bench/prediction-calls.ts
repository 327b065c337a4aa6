/**
 * The calls of predictions through HTTP on an embedded PostgreSQL: the history of 5,000 candles, first asked for and again,
 * beside predicting them alone; one forecast; a fan; the newest predictions of 200 bots. And the gzipped bytes of the history
 * as rows and as columns.
 *
 *   node bench/prediction-calls.ts
 */
import { gzipSync } from 'node:zlib'
import { unpackArtifact } from '@shapecast/ml/artifact/artifact'
import { loadPredictor } from '@shapecast/ml/forecast/predict'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { createRooms } from '@shapecast/trading/rooms'
import { withBenchDatabase } from './lib/bench-database.ts'
import { addVersion, openTrading, storeHours } from './lib/bench-trading.ts'
import { taken } from './lib/cpu-time.ts'
import { median } from './lib/rounds.ts'

const STORED = 12_000
const ROWS = 5000
const ROUNDS = 5

const times = new Map<string, { wall: number[]; cpu: number[] }>()
async function clock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { result, wall, cpu } = await taken(work)
  const before = times.get(name) ?? { wall: [], cpu: [] }
  times.set(name, { wall: [...before.wall, wall], cpu: [...before.cpu, cpu] })
  return result
}

await withBenchDatabase(async ({ db, folder }) => {
  await storeHours(db, folder, generateCandles({ candles: STORED, seed: 1 }))
  const { app, venue, queue, log, userId, accessToken, close } = await openTrading(db)
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const reply = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${accessToken}` },
      ...(payload === undefined ? {} : { payload }),
    })
    if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.body}`)
    return reply.json().data
  }

  const artifact = await addVersion(db, 'v3', await venue.candles('BTCUSDT', '1h', { limit: 5000 }))
  const rooms = createRooms({ db, queue, venue, log })
  const ids: string[] = []
  for (let k = 0; k < 200; k++) {
    const made = await db.pool.query(
      `insert into trading.bots (user_id, venue, name, description, strategy, status, visibility, is_virtual, trading_pairs,
        position_size, max_drawdown, risk_level, market_type, leverage, take_profit_pct, stop_loss_pct, initial_balance,
        ml_model_version, temporary, created_at_ms)
       values ($1, 'replay', 'b', '', 'ml', 'stopped', 'private', true, '{BTCUSDT}', 1, 10, 'low', 'spot', 1, 0, 0, 10, 'v3', false, 1)
       returning id`,
      [userId],
    )
    ids.push(made.rows[0].id)
  }
  await rooms.botPredictions.poll(ids[0]!, { userId, role: 'user' })
  await db.pool.query(
    'insert into trading.bot_predictions select b.id, p.prediction, p.made_at_ms from trading.bots b, trading.bot_predictions p on conflict do nothing',
  )

  const predictor = await loadPredictor(unpackArtifact(artifact.bytes))
  const history = predictor.historyCandles
  const basis = await venue.candles('BTCUSDT', '1h', { limit: ROWS + history })
  for (let round = 0; round < ROUNDS; round++) {
    await db.pool.query('delete from trading.predictions')
    await clock('predicting 5,000 candles alone', () => predictor.predict(basis, { from: history, to: basis.length }))
    const url = `/api/ml/predictions?symbol=BTCUSDT&timeframe=1h&limit=${ROWS}`
    const rows = await clock('their history, asked for the first time', () => call('GET', url))
    if (rows.length !== ROWS) throw new Error(`${rows.length} rows`)
    await clock('their history, again', () => call('GET', url))
    const older = `/api/ml/predictions?symbol=BTCUSDT&limit=2000&before=${rows[0].timestamp}`
    await clock('2,000 older ones, the first time', () => call('GET', older))
    // Rows are kept after the reply; asking again waits for that, so that the next round finds none of them.
    await call('GET', older)
    await clock('one forecast', () => call('POST', '/api/ml/predict', { symbol: 'BTCUSDT', limit: 300 }))
    await clock('a fan', () => call('POST', '/api/ml/predict-cloud', { symbol: 'BTCUSDT' }))
    await clock('the last predictions of 200 bots', () =>
      call('GET', `/api/bots/last-predictions?ids=${ids.join(',')}`),
    )
  }
  for (const [name, { wall, cpu }] of times)
    console.log(
      `${name}: first ${wall[0]!.toFixed(0)} ms, median ${median(wall).toFixed(1)}, fastest ${Math.min(...wall).toFixed(1)} (CPU ${median(cpu).toFixed(0)})`,
    )
  const sizeOf = async (path: string) => {
    const rows = await call('GET', `/api/ml/${path}?symbol=BTCUSDT&timeframe=1h&limit=${ROWS}`)
    return gzipSync(JSON.stringify({ data: rows })).length
  }
  const [rowBytes, columnBytes] = [await sizeOf('predictions'), await sizeOf('predictions/columns')]
  console.log(
    `gzipped: ${rowBytes} B as rows, ${columnBytes} B as columns, ${(rowBytes / columnBytes).toFixed(1)} times less`,
  )
  const cpuOf = (name: string) => median(times.get(name)!.cpu)
  const ratio = cpuOf('their history, asked for the first time') / cpuOf('predicting 5,000 candles alone')
  console.log(`the first history takes ${ratio.toFixed(2)} times the processor time of predicting alone`)
  await predictor.close()
  await rooms.predictors.close()
  await close()
})
