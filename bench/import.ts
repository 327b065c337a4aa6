/**
 * Rows a second of an import: file → checks → PostgreSQL, on a throw-away server with its usual settings (fsync on).
 * Beside it in the same run: reading and checking alone, a plain loop that splits the same lines and calls Number, and
 * COPY of the raw text by the server itself into a table without checks.
 *
 *   node bench/import.ts [rows]
 */
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { importFile } from '@shapecast/trading/market/import-file'
import { readCandleFile } from '@shapecast/venues/import/read-candle-file'
import { binanceCsv, randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { from as copyFrom } from 'pg-copy-streams'
import { withBenchDatabase } from './lib/bench-database.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const START = Date.UTC(2020, 0, 1)
const spec = { symbol: 'BTCUSDT', timeframe: '1m' as const, nowMs: Date.now(), skipBadRows: false }

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${name.padEnd(58)} ${seconds.toFixed(2).padStart(6)} s ${Math.round(rows / seconds)
      .toLocaleString('en')
      .padStart(12)} rows/s`,
  )
}

await withBenchDatabase(async ({ db, folder }) => {
  const candles = randomCandles(rows, START, '1m')
  const ours = join(folder, 'ours.csv')
  const binance = join(folder, 'binance.csv')
  writeFileSync(ours, shapecastCsv(candles))
  writeFileSync(binance, binanceCsv(candles, '1m'))

  for (const [name, path] of [
    ['our CSV', ours],
    ['Binance klines', binance],
  ] as const) {
    console.log(`\n${name}, ${rows.toLocaleString('en')} rows`)
    await timed('plain loop: readline, split, Number', async () => {
      let sum = 0
      for await (const line of createInterface({ input: createReadStream(path) }))
        for (const field of line.split(',').slice(0, 6)) sum += Number(field)
      return sum
    })
    await timed('read and check', () => readCandleFile(path, spec, () => {}))
    const request = {
      path,
      symbol: 'BTCUSDT',
      timeframe: '1m' as const,
      venue: name === 'our CSV' ? 'ours' : 'binance',
    }
    await timed('import into PostgreSQL, a new series', () => importFile({ db }, request))
    await timed('import of the same file again (nothing changes)', () => importFile({ db }, request))
  }

  await timed('\nthe server’s own COPY of our CSV, unchecked, same table form', async () => {
    await db.pool.query(
      'create table public.raw (ts bigint primary key, o float8, h float8, l float8, c float8, v float8)',
    )
    const client = await db.pool.connect()
    await pipeline(createReadStream(ours), client.query(copyFrom('copy public.raw from stdin (format csv, header)')))
    client.release()
  })
})
