/**
 * Bots through kills (SIGKILL), in turns of two kinds until the minutes are over:
 *
 * - thirty-five virtual ones of all kinds, 120 closes and 50 kills a turn: before and after the commits of decisions and
 *   fills, half-way through them and at random moments. Every bot ends with the trades of its backtest.
 * - four with real money on a local exchange (Binance's protocol, then Bybit's), 120 closes and 40 kills a turn: besides
 *   before an order is sent, while it is on its way and once it is acknowledged, with lost replies and orders that are
 *   filled in part. Books, bots and exchange end with the same orders, coins and money.
 *
 * In both every candle is decided once, and no order is lost or doubled.
 *
 *   npm run soak bots [minutes=1] [seed=1] [virtual|real]
 *
 * Prints its seeds and counts; exit code 1 where anything is found.
 */
import { soakBots } from '@shapecast/trading/test/support/soak-bots'
import { soakRealBots } from '@shapecast/trading/test/support/soak-real-bots'
import { withBenchDatabase } from './lib/bench-database.ts'

const MINUTES = Number(process.argv[2] ?? 1)
const SEED = Number(process.argv[3] ?? 1)
const KIND = process.argv[4] ?? 'both'

interface Turn {
  readonly counts: Readonly<Record<string, number>>
  readonly ends: ReadonlyMap<string, number>
  readonly wrong: readonly string[]
}

const TURNS: Readonly<Record<string, (seed: number) => Promise<Turn>>> = {
  virtual: (seed) =>
    withBenchDatabase(async ({ db }) => {
      const { ends, wrong, ...counts } = await soakBots({ db, seed, closes: 120, kills: 50, say: console.log })
      return { counts, ends, wrong }
    }),
  real: (seed) =>
    withBenchDatabase(async ({ db }) => {
      const venue = seed % 2 === 1 ? 'binance' : 'bybit'
      const { ends, wrong, ...counts } = await soakRealBots({
        db,
        seed,
        venue,
        closes: 120,
        kills: 40,
        say: console.log,
      })
      return { counts, ends, wrong }
    }),
}

const total = new Map<string, Map<string, number>>()
const ends = new Map<string, number>()
let found = 0
const endMs = Date.now() + MINUTES * 60_000
for (let seed = SEED; seed === SEED || Date.now() < endMs; seed++)
  for (const [kind, run] of Object.entries(TURNS)) {
    if (KIND !== 'both' && KIND !== kind) continue
    const turn = await run(seed)
    found += turn.wrong.length
    for (const text of turn.wrong) console.log(`${kind} bots, seed ${seed}: ${text}`)
    for (const [point, n] of turn.ends)
      ends.set(`${kind} bots: ${point}`, (ends.get(`${kind} bots: ${point}`) ?? 0) + n)
    const sums = total.get(kind) ?? new Map<string, number>()
    for (const [name, n] of Object.entries(turn.counts)) sums.set(name, (sums.get(name) ?? 0) + n)
    total.set(kind, sums)
    const counted = [...sums].map(([name, n]) => `${n} ${name}`).join(', ')
    console.log(`${kind} bots, seeds ${SEED} to ${seed}: ${counted}, ${found} wrong`)
  }
for (const [point, n] of [...ends].sort()) console.log(`killed ${n} times: ${point}`)
process.exitCode = found === 0 ? 0 : 1
