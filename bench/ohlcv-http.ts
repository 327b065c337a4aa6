/**
 * Requests a second of the newest 100 hourly candles through the whole gateway, against a bare Fastify route that sends
 * the same bytes, in turns, and the processor time (user and system) that each server spends on one; then the memory of the
 * product over 200,000 requests.
 *
 *   node bench/ohlcv-http.ts [requests]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importFile } from '@shapecast/trading/market/import-file'
import { randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { withBenchDatabase } from './lib/bench-database.ts'
import { serve } from './lib/bench-process.ts'
import { loadHttp } from './lib/http-load.ts'
import { median } from './lib/rounds.ts'

const PATH = '/bot/public/ohlcv/BTCUSDT?timeframe=1h&limit=100'
const ROUND = 6_000
const ROUNDS = 9
const WARM_UPS = 2
const [total = 200_000] = process.argv.slice(2).map(Number)

await withBenchDatabase(async ({ db, folder }) => {
  const path = join(folder, 'candles.csv')
  writeFileSync(path, shapecastCsv(randomCandles(20_000, Date.UTC(2023, 0, 1), '1h')))
  await importFile({ db }, { path, symbol: 'BTCUSDT', timeframe: '1h' })
  const product = await serve('product', db.url)
  const bare = await serve('bare', `http://127.0.0.1:${product.port}`)
  const servers = { product, bare }
  const rates = { product: [] as number[], bare: [] as number[] }
  const cpuUs = { product: [] as number[], bare: [] as number[] }
  for (let round = 0; round < WARM_UPS + ROUNDS; round++)
    for (const name of ['product', 'bare'] as const) {
      const server = servers[name]
      const before = await server.cpuUs()
      const load = await loadHttp(server.port, PATH, ROUND)
      const spentUs = (await server.cpuUs()) - before
      if (load.status['200'] !== ROUND) throw new Error(`${name} answered ${JSON.stringify(load.status)}`)
      if (round < WARM_UPS) continue
      rates[name].push(ROUND / load.seconds)
      cpuUs[name].push(spentUs / ROUND)
    }
  const says = { product: 'the product, through its gateway', bare: 'a bare Fastify route, same bytes' }
  for (const name of ['product', 'bare'] as const)
    console.log(
      `${says[name]}   ${median(rates[name]).toFixed(0).padStart(7)} requests a second ${median(cpuUs[name]).toFixed(1).padStart(7)} µs of processor each`,
    )
  const ratios = rates.product.map((rate, i) => rate / rates.bare[i]!)
  const cpuRatios = cpuUs.bare.map((us, i) => us / cpuUs.product[i]!)
  console.log(
    `ratio                              ${median(ratios).toFixed(2).padStart(7)} of the rate         ${median(cpuRatios).toFixed(2).padStart(7)} by processor time (medians of ${ROUNDS} rounds in turns)\n`,
  )

  const part = Math.floor(total / 10)
  for (let done = 0; done <= total; done += part) {
    const { heapMb, rssMb } = await product.memory()
    console.log(
      `after ${done.toLocaleString('en').padStart(7)} more: ${heapMb.toFixed(1)} MB in use, ${rssMb.toFixed(0)} MB resident`,
    )
    if (done < total) await loadHttp(product.port, PATH, part)
  }
  await bare.stop()
  await product.stop()
})
