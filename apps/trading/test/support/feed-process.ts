import { readFileSync } from 'node:fs'
import { connect } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { openExchange } from '@shapecast/venues/ccxt/live-markets'
import { startFeed } from '../../src/market/feed/feed.ts'
import { createLiveMarket } from '../../src/market/live-market.ts'
import { createStoredCandles } from '../../src/market/stored-candles.ts'

// A feed in a process of its own, to be killed or frozen: it says when it leads. Its clock is the exchange's, which is
// written in a file: a real machine's clock keeps the same time as the exchange too.
const [url = '', urls = '', symbols = '', clockFile = ''] = process.argv.slice(2)
const log = silentLogger()
const db = await connect(url, log, { max: 4 })
const now = () => Number(readFileSync(clockFile, 'utf8'))
const source = await openExchange('binance', { urls: JSON.parse(urls), now, steadyMs: now, confirmAfterMs: 50 })
const venue = createLiveMarket({ source, db, stored: createStoredCandles(db), log, now: Date.now })
const followed = symbols.split(',').map((symbol) => ({ symbol, timeframe: '1m' as const }))
const feed = startFeed({
  db,
  venue,
  live: { source, store: venue.book },
  wanted: { lasting: async () => followed, used: async () => [] },
  closed: () => {},
  log,
  now: Date.now,
})
let leads = false
setInterval(() => {
  if (feed.leads() === leads) return
  leads = feed.leads()
  process.stdout.write(`${leads ? 'leads' : 'follows'}\n`)
}, 20)
