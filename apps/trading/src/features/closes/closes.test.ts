import { AppError } from '@shapecast/contracts/errors'
import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { emptyCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { selectCandles } from '@shapecast/venues/venue'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLOSE, type Close } from './close-job.ts'
import { createCloseTeller } from './close-teller.ts'
import { createCloseHandler, type HandleCloseDeps, type Said } from './handle-close.ts'

const HOUR = TIMEFRAME_MS['1h']
const SERIES = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' } as const
const closeOf = (hour: number): Close => ({ ...SERIES, candleTs: hour * HOUR })
const never = new AbortController().signal

let db: Database
beforeAll(async () => {
  db = await createTestDatabase([])
})
afterAll(() => db?.close())

/** Hours whose candles are there. */
let hours: number[]
/** The last hour that the bots have decided, and what they heard: the hour, and the versions that said something. */
let decided: number
let heard: [number, string][]
/** What was forecast apart from sealing. */
let asked: string[]
let sealed: number[]
/** What happens while the bots decide an hour. */
let whileDeciding: (hour: number) => Promise<void>

beforeEach(() => {
  hours = [1, 2, 3, 4, 5]
  decided = 5
  heard = []
  asked = []
  sealed = []
  whileDeciding = async () => {}
})

const predictionOf = (version: string, hour: number) => ({ version, timestamp: hour * HOUR }) as Prediction

/** The close handler of a process. One artifact, v3, goes on record; the bots ask v3 and v9. */
const handlerOf = (over: Partial<HandleCloseDeps> = {}) =>
  createCloseHandler({
    venue: 'replay',
    pool: db.pool,
    async seal(_symbol, _timeframe, candleTs, said) {
      const hour = candleTs / HOUR
      said('v3', predictionOf('v3', hour))
      sealed.push(hour)
      return { open: 0, late: false }
    },
    async forecast({ version, toMs }) {
      asked.push(`${version} ${toMs / HOUR}`)
      if (version === 'v9') throw new AppError('model_not_trained', 'v9 is not trained.')
      return { prediction: predictionOf(version, toMs / HOUR) }
    },
    async load(_symbol, _timeframe, { fromMs = 0, toMs = Number.POSITIVE_INFINITY, limit }) {
      const candles = { ...emptyCandles(hours.length), ts: Float64Array.from(hours, (hour) => hour * HOUR) }
      return selectCandles(candles, { fromMs, toMs }, limit)
    },
    bots: {
      waiting: async () => ({ decidedTs: decided * HOUR, versions: ['v3', 'v9'] }),
      async decideBots({ candleTs }, said) {
        const hour = candleTs / HOUR
        if (hour <= decided) return
        await whileDeciding(hour)
        heard.push([
          hour,
          [...said].map(([version, { error }]) => `${version}${error === null ? '' : ' failed'}`).join(),
        ])
        decided = hour
      },
    },
    log: silentLogger(),
    ...over,
  })

describe('at the close of a candle', () => {
  it('what goes on record is handed to the bots, and only what they ask besides is forecast', async () => {
    hours.push(6)
    await handlerOf()(closeOf(6), never)
    expect([sealed, heard, asked]).toEqual([[6], [[6, 'v3,v9 failed']], ['v9 6']])
    await handlerOf()(closeOf(6), never)
    expect(heard).toHaveLength(1)
  })

  it('candles that closed while nobody worked are decided in order, once each, after the newest is sealed', async () => {
    decided = 2
    hours = [1, 2, 3, 5, 6]
    whileDeciding = async () => expect(sealed).toEqual([6])
    await handlerOf()(closeOf(6), never)
    expect(heard.map(([hour]) => hour)).toEqual([3, 5, 6])
    expect(asked).toEqual(['v3 3', 'v9 3', 'v3 5', 'v9 5', 'v9 6'])
  })

  it('what failed is gone on with where it was', async () => {
    decided = 2
    whileDeciding = async (hour) => {
      if (hour === 4) throw new Error('gone')
    }
    await expect(handlerOf()(closeOf(5), never)).rejects.toThrow('gone')
    whileDeciding = async () => {}
    await handlerOf()(closeOf(5), never)
    expect(heard.map(([hour]) => hour)).toEqual([3, 4, 5])
  })

  it('a candle that closes while another process decides is decided by that one, after its own', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    hours.push(6)
    whileDeciding = async (hour) => {
      if (hour !== 6) return
      begun.resolve()
      await held.promise
    }
    const first = handlerOf()(closeOf(6), never)
    await begun.promise
    hours.push(7)
    await handlerOf()(closeOf(7), never)
    expect(heard).toEqual([])
    expect(sealed).toEqual([6, 7])
    held.resolve()
    await first
    expect(heard.map(([hour]) => hour)).toEqual([6, 7])
  })

  it('no transaction is open while models run and bots decide', async () => {
    const open: unknown[] = []
    const look = async () => {
      const { rows } = await db.pool.query(
        `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and xact_start is not null and backend_type = 'client backend'`,
      )
      open.push(...rows)
    }
    hours.push(6)
    whileDeciding = look
    const seal: HandleCloseDeps['seal'] = async () => {
      await look()
      return { open: 0, late: false }
    }
    await handlerOf({ seal })(closeOf(6), never)
    expect(heard).toEqual([[6, 'v3,v9 failed']])
    expect(open).toEqual([])
  })

  it('an artifact that was replaced while it forecast is asked once more, and what is too late is not', async () => {
    const results = [
      { open: 1, late: false },
      { open: 0, late: false },
      { open: 2, late: true },
    ]
    let tries = 0
    const handler = handlerOf({ seal: async () => results[tries++]!, bots: null })
    await handler(closeOf(6), never)
    expect(tries).toBe(2)
    await handler(closeOf(7), never)
    expect(tries).toBe(3)
    await handler({ ...closeOf(7), venue: 'binance' }, never)
    expect(tries).toBe(3)
  })

  it('gives the bots a reason in words where a version fails by an error of the program', async () => {
    hours.push(6)
    const said: Said[] = []
    const bots = {
      waiting: async () => ({ decidedTs: 5 * HOUR, versions: ['v4'] }),
      decideBots: async (_close: Close, all: ReadonlyMap<string, Said>) => void said.push(all.get('v4')!),
    }
    const forecast = async () => Promise.reject(new Error('secret'))
    await handlerOf({ bots, forecast })(closeOf(6), never)
    expect(said).toEqual([{ prediction: null, error: 'The prediction failed by an error of the program.' }])
  })
})

describe('what the feed says of closed candles', () => {
  it('is one job a candle for series in use, the shortest timeframe first, and is said again after a failure', async () => {
    const sent: [string, number][] = []
    let failures = 1
    const teller = createCloseTeller({
      venue: 'replay',
      queue: {
        async send(_kind, close, { key, priority } = {}) {
          if ((close as Close).symbol === 'ETHUSDT' && failures-- > 0) throw new Error('away')
          sent.push([key!, priority!])
          return 'id'
        },
      },
      isInUse: async (symbol) => symbol !== 'DOGEUSDT',
      log: silentLogger(),
      retryMs: 1,
    })
    for (const symbol of ['BTCUSDT', 'BTCUSDT', 'DOGEUSDT', 'ETHUSDT']) teller.closed(symbol, '1h', HOUR)
    teller.closed('BTCUSDT', '1m', HOUR)
    await eventually(() =>
      expect(sent.toSorted()).toEqual([
        ['replay BTCUSDT 1h 3600000', -4],
        ['replay BTCUSDT 1m 3600000', -0],
        ['replay ETHUSDT 1h 3600000', -4],
      ]),
    )
    teller.stop()
  })

  it('is handled once by several workers, whoever tells of it', async () => {
    const queues = await Promise.all([1, 2].map(() => createQueue(db, silentLogger())))
    const tellers = queues.map((queue) =>
      createCloseTeller({ venue: 'replay', queue, isInUse: async () => true, log: silentLogger() }),
    )
    for (const queue of queues)
      await queue.work(CLOSE, { concurrency: 2 }, ({ payload, signal }) => handlerOf()(payload, signal))
    for (let hour = 6; hour <= 15; hour++) {
      hours.push(hour)
      for (const teller of tellers) teller.closed('BTCUSDT', '1h', hour * HOUR)
    }
    await eventually(() => expect(heard.map(([hour]) => hour)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]))
    for (const teller of tellers) teller.stop()
    await Promise.all(queues.map((queue) => queue.stop()))
  })
})
