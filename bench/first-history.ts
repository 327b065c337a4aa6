/**
 * The history of 5,000 predictions as the very first call that a fresh process answers: no model open, no code compiled, no
 * row kept. Each round is a process of its own; beside it the same call again, and predicting alone in that warm process.
 * Prints wall and processor time. With a second word the first round writes a processor profile into that folder.
 *
 *   node bench/first-history.ts [rounds] [profile-folder]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createParts } from '@shapecast/trading/parts'
import { withBenchDatabase } from './lib/bench-database.ts'
import { addVersion, openTrading, storeHours } from './lib/bench-trading.ts'
import { taken } from './lib/cpu-time.ts'
import { median } from './lib/rounds.ts'

const STORED = 12_000
const ROWS = 5000

interface Round {
  [name: string]: { wall: number; cpu: number }
}

async function answerOnce(url: string): Promise<Round> {
  const db = await connect(url, silentLogger())
  const { app, venue, queue, log, close } = await openTrading(db)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const round: Round = {}
  const clock = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const { wall, cpu } = await taken(work)
    round[name] = { wall, cpu }
  }
  // What any client has asked for before it can ask for predictions.
  await fetch(`${address}/health`)
  const ask = async () => {
    const reply = await fetch(`${address}/public/ml/predictions?symbol=BTCUSDT&limit=${ROWS}`)
    const { data } = (await reply.json()) as { data: unknown[] }
    if (data.length !== ROWS) throw new Error(`${data.length} rows`)
  }
  await clock('history of 5,000, first call', ask)
  await clock('the same again', ask)
  const parts = createParts({ db, queue, venue, log })
  const version = await parts.models().models.currentOn('BTCUSDT', '1h')
  await parts.models().predictors.use(version, 'BTCUSDT', '1h', async ({ predictor }) => {
    const history = predictor.historyCandles
    const basis = await venue.candles('BTCUSDT', '1h', { limit: ROWS + history })
    await clock('predicting alone, warm', () => predictor.predict(basis, { from: history, to: basis.length }))
  })
  await parts.models().predictors.close()
  await close()
  await db.close()
  return round
}

const [rounds = '5', folder] = process.argv.slice(2)
if (process.send !== undefined) {
  process.send(await answerOnce(process.env.BENCH_DATABASE!))
  process.disconnect()
} else
  await withBenchDatabase(async ({ db, folder: files }) => {
    await storeHours(db, files, generateCandles({ candles: STORED, seed: 1 }))
    const { venue, close } = await openTrading(db)
    await addVersion(db, 'v3', await venue.candles('BTCUSDT', '1h', { limit: 5000 }))
    await close()
    const all: Round[] = []
    for (let k = 0; k < Number(rounds); k++) {
      await db.pool.query('truncate trading.predictions')
      const profile = folder === undefined || k > 0 ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
      const env = { ...process.env, BENCH_DATABASE: db.url }
      const child = fork(import.meta.filename, [], { env, execArgv: profile })
      const [round] = (await once(child, 'message')) as [Round]
      all.push(round)
      await once(child, 'exit')
    }
    for (const name of Object.keys(all[0]!)) {
      const of = (what: 'wall' | 'cpu') => all.map((round) => round[name]![what])
      console.log(
        `${name}: median ${median(of('wall')).toFixed(0)} ms, slowest ${Math.max(...of('wall')).toFixed(0)} (CPU ${median(of('cpu')).toFixed(0)})`,
      )
    }
  })
