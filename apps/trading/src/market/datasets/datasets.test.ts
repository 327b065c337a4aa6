import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { AppError } from '@shapecast/contracts/errors'
import { type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'
import { buildFeatureTable } from '@shapecast/ml/features/feature-table'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryVenue } from '../../../test/support/memory-venue.ts'
import { call, createServiceBench, type Person } from '../../../test/support/service-bench.ts'
import { unzip } from '../../../test/support/unzip.ts'
import { marketOf } from '../series-market.ts'
import { createDatasetService } from './dataset-service.ts'
import { createExports } from './export-apart.ts'
import { datasetRoutes } from './routes.ts'

const BTC = generateCandles({ candles: 3000, seed: 5 })
const series: Record<string, Candles> = { 'BTCUSDT 1h': BTC, 'ETHUSDT 1h': sliceCandles(BTC, 0, 400) }
let clockMs = Date.UTC(2025, 0, 1)

const bench = await createServiceBench()
const { db } = bench
const candles = marketOf(memoryVenue(series))
const app = bench.mount((server) => datasetRoutes(server, createDatasetService({ db, candles, now: () => clockMs++ })))
afterAll(() => bench.close())

const get = (path: string, as: Person | null = bench.users.owner) => call(app, 'GET', `/api/ml/${path}`, { as })
const ts = (i: number) => BTC.ts[i]!

const download = async (query: string) => {
  const reply = await app.inject({
    method: 'GET',
    url: `/api/ml/dataset/export?${query}`,
    headers: { authorization: `Bearer ${bench.users.owner.token}` },
  })
  return { reply, files: unzip(reply.rawPayload) }
}

describe('the preview of a dataset', () => {
  it('counts the candles of a range, with the first, the last and an example', async () => {
    const { body } = await get(`dataset/preview?symbol=BTCUSDT&from=${ts(10)}&to=${ts(19)}`)
    expect(body).toEqual({
      symbol: 'BTCUSDT',
      timeframe: '1h',
      candles: 10,
      first: ts(10),
      last: ts(19),
      example: { open: BTC.open[10], close: BTC.close[10] },
    })
  })

  it('says that there is nothing where there is nothing, and refuses what does not exist', async () => {
    const none = { candles: 0, first: null, last: null, example: null }
    expect((await get('dataset/preview?symbol=BTCUSDT&timeframe=4h')).body).toMatchObject(none)
    expect((await get('dataset/preview?symbol=BTCUSDT&from=0&to=1')).body).toMatchObject(none)
    expect((await get('dataset/preview?symbol=XYZUSDT')).body.code).toBe('unknown_symbol')
    expect((await get('dataset/preview?symbol=BTCUSDT&from=2&to=1')).status).toBe(400)
    expect((await get('dataset/preview?symbol=BTCUSDT', null)).status).toBe(401)
  })

  it('asks the market for no more than a million candles, and refuses a range that has more', async () => {
    const asked: unknown[] = []
    const load = async (_symbol: string, _timeframe: string, range: { limit?: number | undefined }) => {
      asked.push(range.limit)
      return emptyCandles(range.limit!)
    }
    const service = createDatasetService({
      db: bench.db,
      candles: { venue: 'replay', load },
      now: () => clockMs,
    })
    await expect(service.preview({ symbol: 'BTCUSDT', timeframe: '1m' })).rejects.toMatchObject({
      code: 'bad_input',
      field: 'from',
    })
    expect(asked).toEqual([1_000_001])
  })
})

describe('the export of a dataset', () => {
  it('is a zip of the candles before the newest 400, named for what it holds', async () => {
    const { reply, files } = await download('symbol=BTCUSDT&limit=1000')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/zip')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="dataset-BTCUSDT-1h-1000.zip"')
    expect([...files.keys()].sort()).toEqual([
      'README.md',
      'candles.csv',
      'candles.parquet',
      'card.json',
      'features.csv',
      'features.parquet',
    ])
    const lines = files.get('candles.csv')!.toString().trimEnd().split('\n')
    expect(lines[0]).toBe('timestamp,open,high,low,close,volume')
    expect(lines).toHaveLength(1001)
    expect(lines[1]!.split(',').map(Number)).toEqual(
      [BTC.ts, BTC.open, BTC.high, BTC.low, BTC.close, BTC.volume].map((column) => column[1600]),
    )
    expect(Number(lines[1000]!.split(',')[0])).toBe(ts(2599))
    const card = JSON.parse(files.get('card.json')!.toString())
    expect(card).toMatchObject({ venue: 'replay', candles: 1000, from: ts(1600), to: ts(2599), heldOut: 400 })
    expect(files.get('README.md')!.toString()).toContain('1000 candles from')
  })

  it('has the same numbers in Parquet as in CSV, and the features that a model is given', async () => {
    const { files } = await download('symbol=BTCUSDT&limit=20')
    const read = async (name: string) => {
      const bytes = files.get(name)!
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
      return parquetReadObjects({ file })
    }
    const candles = await read('candles.parquet')
    expect(candles).toHaveLength(20)
    expect(candles[3]).toEqual({
      timestamp: BigInt(ts(2583)),
      open: BTC.open[2583],
      high: BTC.high[2583],
      low: BTC.low[2583],
      close: BTC.close[2583],
      volume: BTC.volume[2583],
    })
    const card = JSON.parse(files.get('card.json')!.toString())
    const table = buildFeatureTable(sliceCandles(BTC, 0, 2600), '1h')
    const features = await read('features.parquet')
    const expected = table.features.map((column) => column[2583])
    expect(card.features.map((name: string) => features[3]![name])).toEqual(expected)
    const row = files.get('features.csv')!.toString().split('\n')[4]!.split(',').map(Number)
    expect(row).toEqual([ts(2583), ...expected])
  })

  it('leaves what is not known empty: the warm-up of the first candles', async () => {
    const { files } = await download('symbol=BTCUSDT&limit=2600')
    const lines = files.get('features.csv')!.toString().split('\n')
    expect(lines[1]).toMatch(/^\d+,+$/)
    expect(lines[99]).toMatch(/^\d+,+$/)
    expect(lines[100]).not.toMatch(/,,/)
  })

  it('says what to do where it cannot be', async () => {
    const few = await get('dataset/export?symbol=ETHUSDT&limit=10')
    expect([few.status, few.body.code]).toEqual([422, 'too_few_candles'])
    expect(few.body.error).toContain('has 400 candles, and the newest 400 are kept apart')
    expect((await get('dataset/export?symbol=BTCUSDT&timeframe=1d')).body.code).toBe('no_candles')
    expect((await get(`dataset/export?symbol=BTCUSDT&to=${ts(0) - 1}`)).body.error).toContain('Choose a later one')
    expect((await get('dataset/export?symbol=XYZUSDT')).body.code).toBe('unknown_symbol')
    expect((await get('dataset/export?symbol=BTCUSDT&limit=100001')).body.error).toContain('At most 100000 rows')
    expect((await get('dataset/export?symbol=BTCUSDT&limit=0')).status).toBe(400)
    expect((await get('dataset/export?symbol=BTCUSDT', null)).status).toBe(401)
  })
})

describe('several exports', () => {
  const meta = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', createdAtMs: 0 } as const
  const dataset = { withHistory: BTC, first: 900, rows: sliceCandles(BTC, 900) }

  it('give the same bytes for the same candles, and leave the candles unchanged', async () => {
    const [zip, before] = [createExports(), BTC.close.slice()]
    const [one, other] = await Promise.all([buffer(zip(meta, dataset)), buffer(zip(meta, dataset))])
    expect(one.equals(other)).toBe(true)
    expect(unzip(one).get('candles.csv')!.toString().split('\n')).toHaveLength(2102)
    expect(BTC.close).toEqual(before)
  })

  it('are four at a time; a fifth is asked to come again until one is read, or given up', async () => {
    const zip = createExports()
    const streams = [1, 2, 3, 4].map(() => zip(meta, dataset))
    expect(() => zip(meta, dataset)).toThrow('4 datasets are being exported at the moment')
    const [read, given, ...others] = streams
    await buffer(read!)
    const fifth = zip(meta, dataset)
    expect(() => zip(meta, dataset)).toThrow(AppError)
    given!.destroy()
    await once(given!, 'close')
    others.push(zip(meta, dataset))
    for (const stream of [fifth, ...others]) stream.destroy()
  })
})

describe('saved datasets', () => {
  const save = (body: object, as: Person | null = bench.users.owner) =>
    call(app, 'POST', '/api/ml/dataset/save', { as, body })
  const choose = (id: string, as: Person | null) => call(app, 'POST', '/api/ml/datasets/active', { as, body: { id } })

  it('are each user’s own, once each, and one of them is the active one', async () => {
    const { owner, other, admin } = bench.users
    const first = await save({ symbol: 'BTCUSDT', limit: 1000 })
    expect(first.body).toMatchObject({ rows: 1000, from: ts(1600), to: ts(2599), active: false, venue: 'replay' })
    expect((await save({ symbol: 'BTCUSDT', limit: 1000 })).body.id).toBe(first.body.id)
    const second = await save({ symbol: 'BTCUSDT', limit: 500 })
    expect((await get('datasets')).body.map((d: { id: string }) => d.id)).toEqual([second.body.id, first.body.id])
    expect((await get('datasets', other)).body).toEqual([])
    const theirs = (await save({ symbol: 'BTCUSDT', limit: 1000 }, admin)).body
    expect([theirs.hash, theirs.id === first.body.id]).toEqual([first.body.hash, false])
    expect((await get('datasets', admin)).body.map((d: { id: string }) => d.id)).toEqual([theirs.id])

    expect((await get('datasets/active')).body).toBeNull()
    expect((await choose(first.body.id, owner)).body).toMatchObject({ id: first.body.id, active: true })
    expect((await choose(second.body.id, owner)).body.active).toBe(true)
    expect((await get('datasets/active')).body.id).toBe(second.body.id)
    expect((await get('datasets/active', admin)).body).toBeNull()
    expect((await get('datasets')).body.filter((d: { active: boolean }) => d.active)).toHaveLength(1)
    for (const stranger of [other, admin]) {
      const reply = await choose(first.body.id, stranger)
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
    }
    expect((await save({ symbol: 'BTCUSDT', limit: 10 }, null)).status).toBe(401)
    expect((await choose(first.body.id, null)).status).toBe(401)
  })

  it('are downloaded as they were saved: up to their last row, with the same hash', async () => {
    const saved = (await save({ symbol: 'BTCUSDT', limit: 300, to: ts(2500) })).body
    expect([saved.from, saved.to]).toEqual([ts(1801), ts(2100)])
    const { files } = await download(`symbol=BTCUSDT&limit=${saved.rows}&last=${saved.to}`)
    const card = JSON.parse(files.get('card.json')!.toString())
    expect([card.from, card.to, card.hash]).toEqual([saved.from, saved.to, saved.hash])
  })

  it('are left, and forgotten, by their owner alone; what was forgotten is on record', async () => {
    const { owner, other, manager, admin } = bench.users
    const { id } = (await save({ symbol: 'BTCUSDT', limit: 77 })).body
    await choose(id, owner)
    const leave = (as: Person | null) => call(app, 'DELETE', '/api/ml/datasets/active', { as })
    const remove = (as: Person | null) => call(app, 'DELETE', `/api/ml/datasets/${id}`, { as })
    for (const stranger of [other, manager, admin]) {
      expect((await leave(stranger)).status).toBe(200)
      expect((await remove(stranger)).status).toBe(404)
    }
    expect([(await leave(null)).status, (await remove(null)).status]).toEqual([401, 401])
    expect((await get('datasets/active')).body.id).toBe(id)

    expect((await leave(owner)).body).toEqual({ ok: true })
    expect((await get('datasets/active')).body).toBeNull()
    expect((await get('datasets')).body.some((d: { id: string }) => d.id === id)).toBe(true)
    await choose(id, owner)
    expect((await remove(owner)).status).toBe(200)
    expect((await get('datasets/active')).body).toBeNull()
    expect((await get('datasets')).body.some((d: { id: string }) => d.id === id)).toBe(false)
    expect((await remove(owner)).body.code).toBe('not_found')
    const { rows } = await bench.db.pool.query("select * from platform.audit where action = 'dataset.deleted'")
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ actor_id: owner.userId, before: { id, rows: 77, active: true } })
  })

  it('are put on record when they are new and when another one becomes the active one, with the one before', async () => {
    const { manager } = bench.users
    const one = (await save({ symbol: 'BTCUSDT', limit: 41 }, manager)).body.id
    const two = (await save({ symbol: 'BTCUSDT', limit: 42 }, manager)).body.id
    await save({ symbol: 'BTCUSDT', limit: 42 }, manager)
    for (const id of [one, one, two]) await choose(id, manager)
    for (let i = 0; i < 2; i++) await call(app, 'DELETE', '/api/ml/datasets/active', { as: manager })
    const { rows } = await bench.db.pool.query(
      'select action, before, after, address from platform.audit where actor_id = $1 order by id',
      [manager.userId],
    )
    expect(rows.map(({ action, before, after }) => [action, before?.active, after.active])).toEqual([
      ['dataset.saved', undefined, false],
      ['dataset.saved', undefined, false],
      ['dataset.chosen', null, one],
      ['dataset.chosen', one, two],
      ['dataset.left', two, null],
    ])
    expect(rows.every(({ address }) => address !== null)).toBe(true)
  })

  it('are at most 500 of a user, however many come at once; one of them is found again all the same', async () => {
    const { other } = bench.users
    const insert = `insert into trading.datasets (user_id, venue, symbol, timeframe, rows, from_ts, to_ts, hash, created_at_ms)
      select $1, 'replay', 'BTCUSDT', '1h', 1, n, n, '', 0 from generate_series(1, 498) n`
    await bench.db.pool.query(insert, [other.userId])
    const orders = [51, 52, 53, 54].map((limit) => ({ symbol: 'BTCUSDT', limit }))
    const replies = await Promise.all(orders.map((order) => save(order, other)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422])
    const kept = replies.findIndex(({ status }) => status === 200)
    expect((await save(orders[kept]!, other)).body.id).toBe(replies[kept]!.body.id)
  })

  it('are others where the candles are others', async () => {
    const before = await save({ symbol: 'BTCUSDT', limit: 100 })
    const close = Float64Array.from(BTC.close)
    close[2550] = 1
    series['BTCUSDT 1h'] = { ...BTC, close }
    const after = await save({ symbol: 'BTCUSDT', limit: 100 })
    series['BTCUSDT 1h'] = BTC
    expect(after.body.hash).not.toBe(before.body.hash)
    expect(after.body.id).not.toBe(before.body.id)
  })
})
