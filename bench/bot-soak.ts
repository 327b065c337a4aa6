/**
 * Bots through kills: thirty of all kinds, decided by two processes that are killed (SIGKILL) at random moments and started
 * again, on made-up markets, 120 closes and 20 kills a market. After each: every candle decided once, no order lost or
 * doubled, ledger = balance = the engine's account, and the trades of each bot those of its backtest, to the last one.
 *
 *   npm run soak bots [minutes=1] [seed=1]
 *
 * Prints its seed and counts; exit code 1 where anything is found.
 */
import { soakBots } from '@shapecast/trading/features/bots/testing/soak-bots'
import { withBenchDatabase } from './lib/bench-database.ts'

const MINUTES = Number(process.argv[2] ?? 1)
const SEED = Number(process.argv[3] ?? 1)
const total = { markets: 0, closes: 0, kills: 0, trades: 0, wrong: 0 }
const endMs = Date.now() + MINUTES * 60_000
do {
  const seed = SEED + total.markets
  await withBenchDatabase(async ({ db }) => {
    const { closes, kills, trades, wrong } = await soakBots({ db, seed, closes: 120, kills: 20, say: console.log })
    total.markets++
    total.closes += closes
    total.kills += kills
    total.trades += trades
    total.wrong += wrong.length
    for (const text of wrong) console.log(`seed ${seed}: ${text}`)
  })
  console.log(
    `seed ${seed}: ${total.closes} closes, ${total.kills} kills, ${total.trades} trades, ${total.wrong} wrong`,
  )
} while (Date.now() < endMs)
process.exitCode = total.wrong === 0 ? 0 : 1
