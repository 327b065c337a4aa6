/**
 * Seven days of 1m candles of ten symbols (or what the arguments say) from a local exchange that speaks Binance's
 * protocol, on a clock that runs ahead, with faults all the way; then what is stored against what the exchange has.
 *
 *   npm run soak feed [symbols] [days] [market minutes a second]
 */
import { soakFeed } from '@shapecast/trading/test/support/feed-soak'
import { withBenchDatabase } from './lib/bench-database.ts'

const [symbols = 10, days = 7, minutesASecond = 60] = process.argv.slice(2).map(Number)

await withBenchDatabase(async ({ db }) => {
  let told = 0
  const result = await soakFeed(db, {
    symbols,
    minutes: Math.round(days * 1440),
    minutesASecond,
    faultEveryMs: 1_000,
    seed: 20_240_101,
    onProgress(share) {
      if (share < told + 0.1) return
      told = share
      console.log(`${Math.round(share * 100)} % of the market's time`)
    },
  })
  const { faults, ...figures } = result
  console.log('\nfaults that struck')
  for (const [what, times] of Object.entries(faults).sort((a, b) => b[1] - a[1]))
    console.log(`  ${String(times).padStart(7)}  ${what}`)
  console.log('\ncomparison')
  for (const [what, value] of Object.entries(figures))
    console.log(`  ${what.padEnd(16)} ${Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1)}`)
  if (result.exact !== result.expected || result.invented > 0) process.exitCode = 1
})
