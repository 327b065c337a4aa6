import { randomUUID } from 'node:crypto'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { activate, holdOrMake, holdVersionOf, INSTALLATION, insertArtifact } from './active-artifacts.ts'
import type { NewArtifact } from './artifact-rows.ts'
import { createModelStore } from './model-store.ts'

const bench = await createServiceBench()
afterAll(() => bench.close())
afterEach(async () => {
  await bench.db.pool.query('delete from trading.artifacts')
  await bench.db.pool.query('delete from trading.models')
})

const against = (againstId: string, takesOver: boolean): ArtifactComparison => ({
  againstId,
  from: 1,
  to: 2,
  outcomes: 400,
  logLoss: { candidate: 0.69, active: 0.31 },
  brier: null,
  accuracy: null,
  test: null,
  takesOver,
  waits: false,
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
    shown: { accuracy: { outcomes: 0, verdict: 'no outcome to judge by' } } as NewArtifact['shown'],
    card: {},
    bytes: new Uint8Array(),
    ...changed,
  }
  return bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, made, comparison))
}
const predicting = async (): Promise<string[]> =>
  (await bench.db.pool.query('select id from trading.artifacts where active order by created_at_ms')).rows.map(
    ({ id }) => id,
  )

describe('a version', () => {
  it('starts in staging, but for the default one where it is trained here', async () => {
    await add({ version: 'v3', uploadedBy: bench.users.owner.userId })
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
  })
})

/** Deletes an artifact and its version while `meanwhile` waits for them, and answers what that comes to. */
async function deletedMeanwhile<R>(id: string, meanwhile: () => Promise<R>): Promise<R> {
  const deleting = await bench.db.pool.connect()
  await deleting.query('begin')
  await deleting.query("select * from trading.models where version = 'v8' for update")
  const waiting = meanwhile()
  await expect.poll(async () => (await waitingForLocks(bench.db.pool)).length).toBe(1)
  await deleting.query('delete from trading.artifacts where id = $1', [id])
  await deleting.query("delete from trading.models where version = 'v8'")
  await deleting.query('commit')
  deleting.release()
  return waiting
}

describe('a version whose last artifact is being deleted', () => {
  it('is there all the same for an upload to it, made again', async () => {
    const { owner, other } = bench.users
    const id = await add({ uploadedBy: owner.userId })
    const version = { version: 'v8', stage: 'staging', createdBy: other.userId, createdAtMs: 77 } as const
    const claim = () => bench.db.orm.transaction((tx) => holdOrMake(tx, version))
    expect(await deletedMeanwhile(id, claim)).toMatchObject({ stage: 'staging', createdBy: other.userId })
  })

  it('is not held for anyone who would change that artifact', async () => {
    const id = await add()
    expect(await deletedMeanwhile(id, () => bench.db.orm.transaction((tx) => holdVersionOf(tx, id)))).toBe(false)
  })
})
