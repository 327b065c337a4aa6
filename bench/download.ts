/**
 * A year of 1m candles (or as many days as are asked for) downloaded from a local exchange that speaks Binance's
 * protocol, its rate limit included, into the database; its pace against what the limit allows.
 *
 *   node bench/download.ts [days]
 */
import { silentLogger } from '@shapecast/platform/logging'
import { orderDownload } from '@shapecast/trading/market/download-store'
import { runDownload } from '@shapecast/trading/market/run-download'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS } from '@shapecast/venues/testing/open-local-venue'
import { withBenchDatabase } from './lib/bench-database.ts'

const [days = 365] = process.argv.slice(2).map(Number)
const minutes = days * 1440
const PAGE = 1_000
/** Binance allows a weight of 6,000 a minute; a page of 1,000 klines weighs 2. */
const ALLOWED_A_SECOND = 6_000 / 2 / 60

await withBenchDatabase(async ({ db }) => {
  const series = { BTCUSDT: randomCandles(minutes, SERIES_START_MS, '1m') }
  const { exchange, venue, close } = await openLocalVenue({
    series,
    startMs: SERIES_START_MS + (minutes + 1) * MINUTE_MS,
  })
  const toMs = SERIES_START_MS + (minutes - 1) * MINUTE_MS
  const order = { venue: 'binance', symbol: 'BTCUSDT', timeframe: '1m' as const, fromMs: SERIES_START_MS, toMs }
  const { id } = await orderDownload(db.orm, order, null, 0)
  const deps = { db, source: venue, log: silentLogger(), now: Date.now }
  const began = performance.now()
  const report = await runDownload(deps, id, new AbortController().signal)
  const seconds = (performance.now() - began) / 1000
  const pages = Math.ceil(minutes / PAGE)
  const asked = exchange.requests.filter(({ name }) => name.endsWith('/klines')).length
  const { rows } = await db.pool.query('select candles, gap_count as gaps from trading.series')
  console.log(
    `${report.candles.toLocaleString('en')} candles in ${seconds.toFixed(1)} s, ${asked} requests for ${pages} pages`,
  )
  console.log(`stored: ${JSON.stringify(rows[0])}`)
  const refused = exchange.faults.log.filter(({ what }) => /weight/.test(what)).length
  const pace = (asked / seconds).toFixed(1)
  console.log(`${pace} requests a second of ${ALLOWED_A_SECOND} allowed, ${refused} refused by the rate limit`)
  await close()
})
