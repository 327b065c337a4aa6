import { randomUUID } from 'node:crypto'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServiceBench, type ServiceBench } from '../../testing/service-bench.ts'
import { activate, handBack, holdVersionOf, insertArtifact } from './active-artifacts.ts'
import type { NewArtifact } from './artifact-rows.ts'
import { createModelStore } from './model-store.ts'
import { createUploadedArtifacts } from './uploaded-artifacts.ts'

let bench: ServiceBench
beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())
afterEach(async () => {
  await bench.db.pool.query('delete from trading.artifacts')
  await bench.db.pool.query('delete from trading.models')
})

const against = (againstId: string, noWorse: boolean): ArtifactComparison => ({
  againstId,
  from: 1,
  to: 2,
  outcomes: 400,
  logLoss: { candidate: 0.69, active: 0.31 },
  brier: null,
  accuracy: null,
  test: null,
  noWorse,
  verdict: 'as the test says',
})

let made = 0
const add = (changed: Partial<NewArtifact> = {}, comparison: ArtifactComparison | null = null): Promise<string> => {
  made++
  const artifact: NewArtifact = {
    version: 'v8',
    venue: 'replay',
    symbol: 'BTCUSDT',
    timeframe: '1h',
    hash: `hash ${made}`,
    shown: { accuracy: { outcomes: 0 } } as NewArtifact['shown'],
    card: {},
    bytes: new Uint8Array(),
    ...changed,
  }
  return bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, null, made, comparison))
}
const find = (verdict: 'passed' | 'failed' | 'unknown', id: string) =>
  bench.db.pool.query('update trading.artifacts set leak = $2 where id = $1', [id, verdict])
const stage = (to: string) => bench.db.pool.query('update trading.models set stage = $1', [to])
const back = (id: string) =>
  bench.db.orm.transaction(async (tx) => {
    await holdVersionOf(tx, id)
    return handBack(tx, id)
  })
const predicting = async (): Promise<string[]> =>
  (await bench.db.pool.query('select id from trading.artifacts where active order by created_at_ms')).rows.map(
    ({ id }) => id,
  )

describe('an artifact that leaks hands back', () => {
  it('to the one it took over from; and to none that leaks as well, nor to one refused by another', async () => {
    const before = await add()
    const leaking = await add({}, against(before, true))
    await add({}, against(before, false))
    await find('failed', leaking)
    await find('failed', before)
    expect(await back(leaking)).toBeNull()
    expect(await predicting()).toEqual([leaking])
    await find('unknown', before)
    expect(await back(leaking)).toBe(before)
    expect(await predicting()).toEqual([before])
    // It predicts no more: there is nothing to hand back.
    expect(await back(leaking)).toBeNull()
  })

  it('of those that it kept out to one that passed its audit, else to the newest that is not known to leak', async () => {
    const leaking = await add()
    const older = await add({}, against(leaking, false))
    const passed = await add({}, against(leaking, false))
    const unknown = await add({}, against(leaking, false))
    const failed = await add({}, against(leaking, false))
    await find('failed', leaking)
    await find('failed', failed)
    await find('passed', passed)
    expect(await back(leaking)).toBe(passed)
    expect(await predicting()).toEqual([passed])

    await bench.db.orm.transaction((tx) =>
      activate(tx, { id: leaking, version: 'v8', venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' }),
    )
    await find('failed', passed)
    expect(await back(leaking)).toBe(unknown)
    const { rows } = await bench.db.pool.query('select comparison from trading.artifacts where id = any($1)', [
      [older, unknown],
    ])
    expect(rows.map(({ comparison }) => comparison.noWorse).sort()).toEqual([false, true])
  })

  it('nothing where a manager chose it although it was worse, or where nothing else is there', async () => {
    const before = await add()
    const chosen = await add({}, against(before, false))
    await bench.db.orm.transaction((tx) =>
      activate(tx, { id: chosen, version: 'v8', venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' }),
    )
    await find('failed', chosen)
    expect(await back(chosen)).toBeNull()
    expect(await predicting()).toEqual([chosen])
    const first = await add({ version: 'v9' })
    await find('failed', first)
    expect(await back(first)).toBeNull()
    expect(await back(randomUUID())).toBeNull()
  })

  it('to no upload in production, where its author is all that speaks for it', async () => {
    const leaking = await add()
    const trained = await add({}, against(leaking, false))
    const upload = await add({ uploadedBy: bench.people.owner.userId }, against(leaking, false))
    await find('failed', leaking)
    await stage('production')
    expect(await back(leaking)).toBe(trained)
    await bench.db.pool.query('delete from trading.artifacts where id = $1', [trained])
    await bench.db.pool.query('update trading.artifacts set active = true where id = $1', [leaking])
    expect(await back(leaking)).toBeNull()
    await stage('staging')
    expect(await back(leaking)).toBe(upload)
  })
})

describe('a version', () => {
  it('starts in staging, but for the default one where it is trained here', async () => {
    await add({ version: 'v3', uploadedBy: bench.people.owner.userId })
    await add({ version: 'v4' })
    const stages = async () =>
      (await bench.db.pool.query('select version, stage from trading.models order by 1')).rows.map(
        ({ version, stage }) => `${version} ${stage}`,
      )
    expect(await stages()).toEqual(['v3 staging', 'v4 staging'])
    await bench.db.pool.query('delete from trading.artifacts')
    await bench.db.pool.query('delete from trading.models')
    await add({ version: 'v3' })
    expect(await stages()).toEqual(['v3 production'])
  })
})

describe('the artifact that predicts', () => {
  it('is one of each version and series: making one of them active leaves the others', async () => {
    const ids = [await add(), await add({ symbol: 'ETHUSDT' }), await add({ timeframe: '15m' })]
    const others = [await add({ venue: 'binance' }), await add({ version: 'v9' })]
    expect(await predicting()).toEqual([...ids, ...others])
    const second = await add()
    expect(await predicting()).toEqual([...ids, ...others])
    const row = { id: second, version: 'v8', venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' }
    expect(await bench.db.orm.transaction((tx) => activate(tx, row))).toBe(ids[0])
    expect(await predicting()).toEqual([ids[1], ids[2], ...others, second])
    // Once more changes nothing.
    expect(await bench.db.orm.transaction((tx) => activate(tx, row))).toBeUndefined()
    expect(await predicting()).toEqual([ids[1], ids[2], ...others, second])
    const gone = { ...row, id: randomUUID() }
    await expect(bench.db.orm.transaction((tx) => activate(tx, gone))).rejects.toMatchObject({ code: 'not_found' })
    const third = await add({}, against(second, true))
    expect(await predicting()).toEqual([ids[1], ids[2], ...others, third])
  })

  it('is read by venue, series and stage', async () => {
    const [btc, eth] = [await add(), await add({ symbol: 'ETHUSDT' })]
    const [quarter, other, archived] = [
      await add({ timeframe: '15m' }),
      await add({ venue: 'binance' }),
      await add({ version: 'old' }),
    ]
    const [, newest] = [await add(), await add()]
    await bench.db.pool.query("update trading.models set stage = 'archived' where version = 'old'")
    const store = createModelStore(bench.db.orm, 'replay')
    expect((await store.active('v8', 'BTCUSDT', '1h'))?.id).toBe(btc)
    expect((await store.active('v8', 'ETHUSDT', '1h'))?.id).toBe(eth)
    expect(await store.active('v8', 'ETHUSDT', '15m')).toBeUndefined()
    const activeOn = async (...stages: Parameters<typeof store.activeOn>[2]) =>
      (await store.activeOn('BTCUSDT', '1h', stages)).map(({ id }) => id)
    expect(await activeOn('staging')).toEqual([btc])
    expect(await activeOn('production')).toEqual([])
    expect(await activeOn('staging', 'archived')).toEqual([archived, btc])
    const series = await store.activeSeries(['staging'])
    expect(series.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`).sort()).toEqual([
      'BTCUSDT 15m',
      'BTCUSDT 1h',
      'ETHUSDT 1h',
    ])
    expect(await store.activeSeries(['production'])).toEqual([])
    const artifactsOf = async (of: object, limit = 10) => (await store.artifactsOf('v8', of, limit)).map(({ id }) => id)
    expect(await artifactsOf({})).toHaveLength(5)
    expect(await artifactsOf({ symbol: 'BTCUSDT' })).toHaveLength(4)
    expect(await artifactsOf({ timeframe: '1h' })).toHaveLength(4)
    expect(await artifactsOf({ symbol: 'BTCUSDT', timeframe: '15m' })).toEqual([quarter])
    // However few are wanted, those that predict are among them.
    expect(await artifactsOf({}, 1)).toEqual([newest, quarter, eth, btc])
    expect(await artifactsOf({ symbol: 'ETHUSDT' }, 1)).toEqual([eth])
    const listed = (await store.list()).map(({ version, artifacts }) => [version, artifacts.map(({ id }) => id)])
    expect(listed).toEqual([
      ['v8', [quarter, eth, btc]],
      ['old', [archived]],
    ])
    expect((await store.artifact(quarter))?.id).toBe(quarter)
    expect(await store.artifact(other)).toBeUndefined()
    expect([...(await store.cardsOf([btc, other])).keys()]).toEqual([btc])
    await find('passed', btc)
    expect((await store.unexamined(10)).includes(btc)).toBe(false)
    expect(await store.unexamined(10)).not.toContain(other)
    expect(await store.unexamined(2)).toHaveLength(2)
    const hashOf = async (id: string) =>
      (await bench.db.pool.query('select hash from trading.artifacts where id = $1', [id])).rows[0].hash
    await find('failed', eth)
    const [passed, failed] = [await hashOf(btc), await hashOf(eth)]
    expect(await store.leaking([passed, failed])).toEqual([failed])
    expect(await store.leaking([passed])).toEqual([])
  })
})

/** Deletes an artifact and its version while `meanwhile` waits for them, and answers what that comes to. */
async function deletedMeanwhile<R>(id: string, meanwhile: () => Promise<R>): Promise<R> {
  const deleting = await bench.db.pool.connect()
  await deleting.query('begin')
  await deleting.query("select * from trading.models where version = 'v8' for update")
  const waiting = meanwhile()
  await expect
    .poll(async () => {
      const { rows } = await bench.db.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return rows.length
    })
    .toBe(1)
  await deleting.query('delete from trading.artifacts where id = $1', [id])
  await deleting.query("delete from trading.models where version = 'v8'")
  await deleting.query('commit')
  deleting.release()
  return waiting
}

describe('a version whose last artifact is being deleted', () => {
  it('is there all the same for an upload to it, made anew', async () => {
    const uploads = createUploadedArtifacts(bench.db.orm, 'replay')
    const { owner, other } = bench.people
    const id = await add({ uploadedBy: owner.userId })
    const claim = () => bench.db.orm.transaction((tx) => uploads.claim(tx, 'v8', other.userId, 77))
    expect(await deletedMeanwhile(id, claim)).toMatchObject({ stage: 'staging', createdBy: other.userId })
  })

  it('is not held for whoever would change that artifact', async () => {
    const id = await add()
    expect(await deletedMeanwhile(id, () => bench.db.orm.transaction((tx) => holdVersionOf(tx, id)))).toBe(false)
  })
})
