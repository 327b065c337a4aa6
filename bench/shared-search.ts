/**
 * One search by one worker and by two, of one thread each, in processes of their own on one database; then one of 5,000
 * points by both, beside which somebody else's backtests are run and 200 bots of the first worker take a close, compared
 * with the same before it.
 *
 *   node bench/shared-search.ts FILE.csv [points=1000] [beside=5000]
 *
 * FILE has hourly candles. Prints seconds by the clock from the worker's beginning to the result, and what each worker's
 * processor took: on processors of their own the longest of these is how long it takes. Beside it what this machine has left
 * for two: loops that share nothing, of one worker and of both, which on quiet processors are twice as fast.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { SearchRequest } from '@shapecast/contracts/search'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import type { Member } from '@shapecast/platform/sessions'
import { compose } from '@shapecast/trading/compose'
import { withBenchDatabase } from './lib/bench-database.ts'
import { storeHours, tradingParts } from './lib/bench-trading.ts'
import { median } from './lib/rounds.ts'
import { readAllCandles } from './study/read-file.ts'

// As in the product.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compile')

const BOTS = 200
/** In turns with one worker and with both; the first starts threads and warms code, which a worker keeps for the next search. */
const ROUNDS = 6
const [file, points = '1000', beside = '5000'] = process.argv.slice(2)
if (file === undefined) throw new Error('node bench/shared-search.ts FILE.csv [points] [beside]')

const steps = (from: number, by: number, count: number) => Array.from({ length: count }, (_, k) => from + k * by)
const searchOf = (count: number) =>
  SearchRequest.parse({
    kind: 'rule',
    rule: 'enter: ema({fast}) crosses above ema({slow}) exit: ema({fast}) crosses below ema({slow}) stop: {stop}%',
    symbol: 'BTCUSDT',
    limit: 100_000,
    parameters: [
      { name: 'fast', values: steps(4, 4, 10) },
      { name: 'slow', values: steps(50, 2, Math.round(count / 100)) },
      { name: 'stop', values: steps(1, 0.5, 10) },
    ],
  })
const person = (): Member => ({ userId: randomUUID(), role: 'bot_manager', address: 'bench' })

async function startWorker(url: string, bots: number, first: number): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'lib/search-worker.ts'), [url, String(bots), String(first)])
  await once(child, 'message')
  return child
}
async function ask<T>(child: ChildProcess, what: 'cpu' | 'close' | 'loop'): Promise<T> {
  child.send(what)
  return (await once(child, 'message'))[0] as T
}

async function run(db: Database, url: string): Promise<void> {
  const deps = await tradingParts(db, silentLogger())
  const parts = compose(deps).cli()
  const jobOf = async (id: string) =>
    (await db.pool.query<{ status: string }>('select status from trading.jobs where id = $1', [id])).rows[0]!.status
  const until = async (id: string, status: string, everyMs = 20) => {
    while ((await jobOf(id)) !== status) await sleep(everyMs)
  }
  const endOf = async (id: string) =>
    Number((await db.pool.query('select finished_at_ms as ms from trading.jobs where id = $1', [id])).rows[0]!.ms)
  const search = async (count: number) => {
    const id = await parts.searches().request(searchOf(count), person())
    await until(id, 'running')
    return id
  }
  const cpus = (workers: readonly ChildProcess[]) => Promise.all(workers.map((child) => ask<number>(child, 'cpu')))

  async function measure(workers: readonly ChildProcess[]): Promise<{ seconds: number; processor: number }> {
    const before = await cpus(workers)
    const id = await search(Number(points))
    const startedAt = Date.now()
    // Seldom: asking takes a processor's time too.
    await until(id, 'completed', 250)
    const seconds = ((await endOf(id)) - startedAt) / 1000
    const took = (await cpus(workers)).map((us, k) => (us - before[k]!) / 1e6)
    console.log(
      `${points} points, ${workers.length} workers: ${seconds.toFixed(2)} s, processor ${took.map((s) => s.toFixed(2)).join(' and ')} s`,
    )
    return { seconds, processor: Math.max(...took) }
  }

  /** Backtests of somebody else, from the call to the result, and closes of all bots, ms. */
  async function others(worker: ChildProcess, isOver: () => Promise<boolean>): Promise<string> {
    const asker = person()
    const [tests, closes]: [number[], { wall: number; cpu: number }[]] = [[], []]
    while (!(await isOver())) {
      const startedAt = performance.now()
      const request = { mode: 'rule', rule: 'enter: close > sma(50) exit: close < sma(50)', symbol: 'BTCUSDT' }
      await until(
        await parts.backtests().request(BacktestRequest.parse({ ...request, limit: 5000 }), asker),
        'completed',
      )
      tests.push(performance.now() - startedAt)
      closes.push(await ask(worker, 'close'))
    }
    const say = (values: readonly number[]) =>
      `${median([...values]).toFixed(0)} ms (at most ${Math.max(...values).toFixed(0)})`
    return `${tests.length} backtests ${say(tests)}; ${BOTS} bots' closes ${say(closes.map(({ wall }) => wall))}, processor ${say(closes.map(({ cpu }) => cpu))}`
  }

  const one = await startWorker(url, BOTS, 1)
  const two = await startWorker(url, 0, 2)
  const ratios: { seconds: number; processor: number; loops: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    two.kill('SIGSTOP')
    const alone = await measure([one])
    const loop = await ask<number>(one, 'loop')
    two.kill('SIGCONT')
    await sleep(500)
    const both = await measure([one, two])
    const loops = await Promise.all([one, two].map((child) => ask<number>(child, 'loop')))
    ratios.push({
      seconds: alone.seconds / both.seconds,
      processor: alone.processor / both.processor,
      loops: (2 * loop) / Math.max(...loops),
    })
  }
  const ratio = (of: keyof (typeof ratios)[number]) => median(ratios.slice(1).map((one) => one[of])).toFixed(2)
  console.log(
    `two workers are ${ratio('seconds')} times one by the clock, ${ratio('processor')} times by processor; two loops that share nothing ${ratio('loops')} times one`,
  )

  let rounds = 0
  console.log(`alone: ${await others(one, async () => rounds++ === 30)}`)
  const id = await search(Number(beside))
  console.log(`beside ${beside} points: ${await others(one, async () => (await jobOf(id)) === 'completed')}`)
  for (const child of [one, two]) child.disconnect()
  await deps.queue.stop()
}

const candles = await readAllCandles(file, '1h')
await withBenchDatabase(async ({ db, folder }) => {
  await storeHours(db, folder, candles)
  await run(db, db.url)
})
