/**
 * Memory of the service and of a worker over many small trainings, one after the other: after every fifth what is in use
 * (after a collection) and resident, and the slope of the later half. The service predicts with each new model; there are more
 * series than it keeps models open, so that it opens and closes one each time.
 *
 *   node bench/training-memory.ts [trainings] [epochs]
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLogger } from '@shapecast/platform/logging'
import { importFile } from '@shapecast/trading/market/import-file'
import { createRooms } from '@shapecast/trading/rooms'
import { randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { withBenchDatabase } from './lib/bench-database.ts'
import { serve } from './lib/bench-process.ts'
import { tradingParts } from './lib/bench-trading.ts'

const [trainings = 50, epochs = 2] = process.argv.slice(2).map(Number)
const CANDLES = 2_000
const EVERY = 5
const SYMBOLS = Array.from({ length: 10 }, (_, i) => `COIN${String.fromCharCode(65 + i)}USDT`)
const PARAMS = { epochs, lookback: 12, lstmHidden: 16, transformerWidth: 16, transformerLayers: 1 }

interface Reading {
  readonly trainings: number
  readonly heapMb: number
  readonly rssMb: number
}

/** Megabytes a training: the line of least squares through the later half of the readings, when everything has been used. */
function slopeOf(readings: readonly Reading[], of: (reading: Reading) => number): number {
  const rows = readings.slice(readings.length >> 1)
  const meanX = rows.reduce((sum, row) => sum + row.trainings, 0) / rows.length
  const meanY = rows.reduce((sum, row) => sum + of(row), 0) / rows.length
  const xy = rows.reduce((sum, row) => sum + (row.trainings - meanX) * (of(row) - meanY), 0)
  const xx = rows.reduce((sum, row) => sum + (row.trainings - meanX) ** 2, 0)
  return xx === 0 ? Number.NaN : xy / xx
}

await withBenchDatabase(async ({ db, folder }) => {
  for (const [i, symbol] of SYMBOLS.entries()) {
    const path = join(folder, `${symbol}.csv`)
    writeFileSync(path, shapecastCsv(randomCandles(CANDLES, Date.UTC(2023, 0, 1), '1h', i + 1)))
    await importFile({ db }, { path, symbol, timeframe: '1h' })
  }
  const parts = await tradingParts(db, silentLogger())
  const rooms = createRooms(parts)
  const { accessToken } = await parts.sessions.issue({ userId: randomUUID(), role: 'user' })
  const service = await serve('product', db.url)
  const worker = await serve('worker', db.url)
  const readings: Record<'service' | 'worker', Reading[]> = { service: [], worker: [] }

  async function read(done: number): Promise<void> {
    const line = [`after ${String(done).padStart(3)} trainings`]
    for (const [name, process] of Object.entries({ service, worker }) as ['service' | 'worker', typeof service][]) {
      const reading = { trainings: done, ...(await process.memory()) }
      readings[name].push(reading)
      line.push(
        `${name} ${reading.heapMb.toFixed(1).padStart(6)} MB in use ${reading.rssMb.toFixed(0).padStart(5)} MB resident`,
      )
    }
    console.log(line.join('   '))
  }

  async function train(turn: number): Promise<void> {
    const symbol = SYMBOLS[turn % SYMBOLS.length]!
    const order = { version: 'v3', symbol, timeframe: '1h', limit: CANDLES, params: { ...PARAMS, seed: turn } } as const
    const id = await rooms.trainings.request(order, null, null)
    for (;;) {
      const training = await rooms.trainingStore.find(id)
      if (training?.status === 'completed') break
      if (training?.status !== 'queued' && training?.status !== 'running')
        throw new Error(`a training ended as ${training?.status}: ${training?.error}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const reply = await fetch(`http://127.0.0.1:${service.port}/bot/api/ml/predict`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ symbol, timeframe: '1h', version: 'v3' }),
    })
    if (reply.status !== 200) throw new Error(`the prediction was answered with ${reply.status}: ${await reply.text()}`)
    await reply.arrayBuffer()
  }

  const began = performance.now()
  try {
    await read(0)
    for (let done = 1; done <= trainings; done++) {
      await train(done)
      if (done % EVERY === 0) await read(done)
    }
    console.log(
      `\n${((performance.now() - began) / 1000 / trainings).toFixed(1)} s a training of ${CANDLES} candles, ${epochs} epochs`,
    )
    for (const name of ['service', 'worker'] as const)
      console.log(
        `${name}: ${(slopeOf(readings[name], (r) => r.heapMb) * 1000).toFixed(0)} kB in use and ${(slopeOf(readings[name], (r) => r.rssMb) * 1000).toFixed(0)} kB resident more a training`,
      )
  } finally {
    await worker.stop()
    await service.stop()
    await parts.queue.stop()
    await rooms.predictors.close()
  }
})
