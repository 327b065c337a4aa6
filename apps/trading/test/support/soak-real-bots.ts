import { join } from 'node:path'
import type { BotDraft } from '@shapecast/contracts/bots'
import { exchangeOf } from '@shapecast/contracts/exchanges'
import { createRandom } from '@shapecast/engine/random'
import type { Database } from '@shapecast/platform/database/database'
import type { RestFault } from '@shapecast/venues/testing/local-exchange/faults'
import { FUTURES_CAPS } from '@shapecast/venues/testing/local-exchange/market-rules'
import { createMortal } from './mortal-process.ts'
import { createRealBotsBench } from './real-bots-bench.ts'
import { MINUTE_MS, SOAK_LOCK, type SoakProcess, soakScript, type Venue } from './real-soak-script.ts'
import { sentBy, wrongOf } from './real-soak-verdict.ts'
import { serviceBenchOn } from './service-bench.ts'

const LEGS = [
  'a purchase',
  'a sale',
  'a stop-loss',
  'a take profit',
  'a stop-loss with its take profit',
  'a cancellation',
]
const BOUNDARIES = [
  ...['decision', 'fill', 'what became of an order', 'order'].flatMap((what) =>
    ['half written', 'before its commit', 'after its commit'].map((point) => `${what}, ${point}`),
  ),
  ...LEGS.flatMap((what) => ['before it is sent', 'acknowledged'].map((point) => `${what}, ${point}`)),
]
const ANY_MOMENT = 'at any moment'
const ON_ITS_WAY = 'an order, on its way'

const NO_LIST = JSON.stringify({ code: -2010, msg: 'Filter failure: MAX_NUM_ALGO_ORDERS' })
const FAULTS: readonly RestFault[] = [
  { at: /(POST|GET|DELETE) .*order|myTrades|account/, fault: { kind: 'lose-reply' } },
  { at: /(POST|GET|DELETE) .*order|myTrades|account/, fault: { kind: 'drop' } },
  { at: /(POST|DELETE) .*order/, fault: { kind: 'unknown-outcome' } },
  { at: /(POST|GET|DELETE) .*order/, fault: { kind: 'status', status: 502 } },
  { at: /(POST|GET|DELETE) .*algoOrder|userTrades|positionRisk/, fault: { kind: 'lose-reply' } },
  { at: /(POST|DELETE) .*algoOrder/, fault: { kind: 'unknown-outcome' } },
  { at: /POST .*oco/, times: 3, fault: { kind: 'status', status: 400, body: NO_LIST } },
]

const BOTS: readonly Partial<BotDraft>[] = [
  { name: 'A', stopLossPct: 1.2, mlModelVersion: 'v1' },
  { name: 'B', positionSize: 0.02, takeProfitPct: 1, mlModelVersion: 'v2' },
  { name: 'C', positionSize: 0.015, stopLossPct: 0.8, takeProfitPct: 1.5, mlModelVersion: 'v3' },
  { name: 'D', positionSize: 0.005, mlModelVersion: 'v4' },
]

/** Where the exchange has futures here: the one bot that has the symbol there to itself. */
const ON_FUTURES: Partial<BotDraft> = {
  name: 'E',
  marketType: 'futures',
  leverage: 5,
  stopLossPct: 1.5,
  takeProfitPct: 1.2,
  mlModelVersion: 'v5',
}
const botsAt = (venue: Venue) => (exchangeOf(venue)?.futures ? [...BOTS, ON_FUTURES] : BOTS)

/** A process that stands still holds up the others for so long. */
const STILL_MS = 1_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Bots with real money on one account of a local exchange, one of them on futures where there are some, taken on by two processes, of which one or both are killed
 * (SIGKILL) `kills` times at a boundary of a decision, an order or a fill, or at any moment, or stand still for a while
 * (SIGSTOP), while requests are lost and orders filled in part. It lasts for `closes` minutes, and longer where fewer have
 * died. In the end every order is at the exchange once and here as it is there, every candle is decided once, and ledger, bots and
 * the account at the exchange agree.
 */
export async function soakRealBots(options: {
  db: Database
  seed: number
  closes: number
  kills: number
  venue?: Venue
  say?: (text: string) => void
}) {
  const { db, seed, closes: least, kills, venue = 'binance', say = () => undefined } = options
  const bench = await createRealBotsBench(venue, await serviceBenchOn(db))
  await bench.confirmed(true)
  const { exchange, clock } = bench
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
  const script = soakScript(seed)
  const futures = exchange.futures as typeof exchange.futures | undefined
  const walletBefore = futures?.wallet ?? 0
  const startMs = exchange.clock.now()
  bench.setPrice(script.priceOf(0))
  const ids: string[] = []
  for (const draft of botsAt(venue))
    ids.push(await bench.started({ initialBalance: 10_000, maxDrawdown: 50, ...draft }))
  await db.pool.query('create table real_soak_clock (closes int, ahead bigint, price double precision)')
  await db.pool.query('insert into real_soak_clock values (0, 0, $1)', [script.priceOf(0)])

  const told: SoakProcess = { url: db.url, urls: exchange.urls, venue, seed, startMs }
  const mortals = [0, 1].map(() =>
    createMortal(join(import.meta.dirname, 'real-bots-process.ts'), [JSON.stringify(told)]),
  )
  const killed = (): number => mortals.reduce((sum, { deaths }) => sum + deaths.length, 0)
  let colds = 0

  function threaten(): void {
    const mortal = pick(mortals)
    if (!mortal.isAlive()) return
    const chance = random.next()
    if (chance < 0.1) void pause(100 * random.next()).then(() => mortal.kill(ANY_MOMENT))
    else if (chance < 0.2)
      exchange.faults.rest({
        at: /POST .*order/,
        fault: {
          kind: 'held',
          // Its sender dies before the exchange looks at it: which of them has, it does not say.
          until: () => Promise.all(mortals.map((each) => each.kill(ON_ITS_WAY))),
        },
      })
    else
      mortal.meet({
        point: pick(BOUNDARIES),
        passes: random.below(3),
        signal: random.next() < 0.1 ? 'SIGSTOP' : 'SIGKILL',
      })
  }
  function live(): void {
    if (mortals.every((mortal) => !mortal.isAlive())) colds++
    for (const mortal of mortals) if (!mortal.isAlive()) mortal.begin()
  }
  /** Does it while no process is in the middle of a round. */
  async function between(work: () => Promise<void>): Promise<void> {
    const client = await db.pool.connect()
    const awake = setInterval(() => {
      for (const mortal of mortals) mortal.wake()
    }, STILL_MS)
    try {
      await client.query('select pg_advisory_lock($1)', [SOAK_LOCK])
      await work()
    } finally {
      clearInterval(awake)
      await client.query('select pg_advisory_unlock($1)', [SOAK_LOCK])
      client.release()
    }
  }
  async function allDecided(): Promise<void> {
    const closedTs = exchange.clock.now() - MINUTE_MS
    let still = Date.now()
    for (;;) {
      const { rows } = await db.pool.query(
        `select 1 from trading.bot_states s join trading.bots b on b.id = s.bot_id
         where b.status in ('active', 'paused') and s.decided_ts < $1 limit 1`,
        [closedTs],
      )
      if (rows.length === 0) return
      if (Date.now() - still > STILL_MS) {
        for (const mortal of mortals) mortal.wake()
        still = Date.now()
      }
      if (mortals.every((mortal) => !mortal.isAlive())) live()
      await pause(5)
    }
  }

  let closes = 0
  let partly = 0
  try {
    while (closes < least || (killed() < kills && closes < 20 * least)) {
      live()
      exchange.faults.clear()
      if (random.next() < 0.3) exchange.faults.rest(pick(FAULTS))
      // Room for the stop-loss alone, so that its target is watched.
      if (futures !== undefined) futures.stops.mostWaiting = random.next() < 0.2 ? 1 : FUTURES_CAPS.mostWaiting
      if (random.next() < 0.2) {
        partly++
        exchange.faults.partialFills.push(0.5)
      }
      if (killed() < kills && random.next() < Math.max(0.4, (1.5 * kills) / least)) threaten()
      await between(async () => {
        bench.close(script.priceOf(closes))
        closes++
        bench.setPrice(script.priceOf(closes))
        clock.aheadMs += pick([1_000, 1_000, 20_000, 61_000])
        await db.pool.query('update real_soak_clock set closes = $1, ahead = $2, price = $3', [
          closes,
          clock.aheadMs,
          script.priceOf(closes),
        ])
      })
      if (random.next() < 0.85) await allDecided()
      if (closes % 20 === 0) say(`${closes} closes, ${killed()} kills`)
    }
    live()
    await allDecided()
  } finally {
    for (const mortal of mortals) {
      const { length } = mortal.deaths
      await mortal.kill('in the end')
      mortal.deaths.length = length
    }
  }

  exchange.faults.clear()
  if (futures !== undefined) futures.stops.mostWaiting = FUTURES_CAPS.mostWaiting
  for (let k = 0; k < 5; k++) await bench.settle(130_000)
  const ends = new Map<string, number>()
  for (const point of mortals.flatMap((mortal) => mortal.deaths)) ends.set(point, (ends.get(point) ?? 0) + 1)
  const stills = mortals.reduce((sum, mortal) => sum + mortal.stills.length, 0)
  const wrong = await wrongOf(bench, ids, { venue, startMs, closes, walletBefore })
  if (ends.has('by itself')) wrong.push(`a process has ended by itself ${ends.get('by itself')} times`)
  const result = { closes, kills: killed(), colds, stills, partly, ends, orders: sentBy(bench).length, wrong }
  await bench.end()
  return result
}
