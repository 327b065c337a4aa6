import type { BatchRequestInput } from '@shapecast/contracts/batch'
import type { WalkForward, WalkForwardRequestInput } from '@shapecast/contracts/walk-forward'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { createPartsBench } from '../../test/support/parts-bench.ts'
import { call, type Person } from '../../test/support/service-bench.ts'
import { tradingApi } from '../api.ts'
import { carryOut } from '../ground/jobs/carry-out.ts'
import { findJob } from '../ground/jobs/job-rows.ts'
import type { Kind, Progress, Work } from '../ground/jobs/kind.ts'
import { BATCH } from './batch-kind.ts'
import { batchWork } from './batch-work.ts'
import { WALK_FORWARD } from './walk-kind.ts'
import { walkWork } from './walk-work.ts'

const DAY = 86_400_000
const START = Date.parse('2022-01-01')

function days(seed: number) {
  const random = createRandom(seed)
  let close = 100
  return candlesFromRows(
    Array.from({ length: 500 }, (_, day) => {
      const open = close
      close *= Math.exp(0.02 * random.normal())
      return [START + day * DAY, open, 1.004 * Math.max(open, close), 0.996 * Math.min(open, close), close, 1]
    }),
  )
}

const venue = memoryVenue({ 'BTCUSDT 1d': days(1), 'ETHUSDT 1d': days(2) })
const bench = await createPartsBench(venue)
const { db, parts, users, sessions } = bench
const app = createHttp(silentLogger())
await app.register(tradingApi(parts, { sessions, testnet: true }), { prefix: '/bot' })
afterAll(async () => {
  await app.close()
  await bench.close()
})

const ask = (as: Person | null, method: 'GET' | 'POST', path: string, body?: unknown) =>
  call(app, method, `/bot/api/${path}`, { as, body })

/** Carries a job out as a worker does. */
async function carry<P, R, M>(kind: Kind<P, Progress, R>, work: Work<P, Progress, R, M>, id: string): Promise<void> {
  const { queueId } = (await findJob(db.orm, kind, id))!
  const deps = { orm: db.orm, log: silentLogger(), now: () => 5 }
  await carryOut(deps, kind, work, { id, queueId: queueId! }, new AbortController().signal)
}

const WALK: WalkForwardRequestInput = {
  search: {
    kind: 'rule',
    rule: 'enter: close > sma({n}) exit: close < sma({n})',
    symbol: 'BTCUSDT',
    timeframe: '1d',
    minTrades: 2,
    parameters: [{ name: 'n', label: 'Days', values: [3, 5, 8, 13] }],
  },
  train: 150,
  test: 50,
}

describe('a walk', () => {
  it('chooses before each stretch and trades what follows, inside the searched part', async () => {
    const { body } = await ask(users.manager, 'POST', 'walk-forwards', WALK)
    await carry(WALK_FORWARD, walkWork(parts.backtest()), body.id)
    const found: WalkForward = (await ask(users.manager, 'GET', `walk-forwards/${body.id}`)).body
    expect(found).toMatchObject({ status: 'completed', title: 'Rule on BTCUSDT 1d', error: null })
    const { folds, walked, kept, parameters, points, curves } = found.result!
    // 500 days, of which 400 are searched: (400 − 150) / 50.
    expect(folds).toHaveLength(5)
    expect(walked.candles).toBe(400)
    expect(kept).toMatchObject({ candles: 100, from: walked.to + DAY })
    expect(folds.at(-1)!.test.to).toBe(walked.to)
    for (const [k, { train, test }] of folds.entries()) {
      expect(test.from).toBe(train.to + DAY)
      if (k > 0) expect(test.from).toBe(folds[k - 1]!.test.to + DAY)
    }
    expect(parameters).toEqual([{ name: 'n', label: 'Days', values: [3, 5, 8, 13] }])
    expect(points).toBe(4)
    expect(curves.t.at(-1)).toBe(walked.to)
    // Each combination is a try.
    expect(found.tries).toEqual({ count: 4, byKind: { search: 4 } })
    expect((await ask(users.manager, 'GET', 'walk-forwards')).body.map(({ id }: WalkForward) => id)).toEqual([body.id])
  })

  it.each([
    [{ train: 390 }, 'too_few_candles'],
    [{ train: 10 }, 'bad_input'],
    [{ search: { ...WALK.search, symbol: 'NONEUSDT' } }, 'unknown_symbol'],
    [{ search: { ...WALK.search, rule: 'enter: close > sma({n})' } }, 'bad_input'],
  ])('with %j is refused with %s', async (change, code) =>
    expect((await ask(users.manager, 'POST', 'walk-forwards', { ...WALK, ...change })).body.code).toBe(code),
  )
})

const BATCH_OF_RULE: BatchRequestInput = {
  mode: 'rule',
  rule: 'enter: close > sma(5) exit: close < sma(5)',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  timeframes: ['1d', '1h'],
  maxDrawdown: 0,
}

describe('a batch', () => {
  it('saves a run a series, names what is missing, and says how much of the best is luck', async () => {
    const { body } = await ask(users.admin, 'POST', 'batches', BATCH_OF_RULE)
    await carry(BATCH, batchWork(parts.backtest()), body.id)
    const { body: found } = await ask(users.admin, 'GET', `batches/${body.id}`)
    expect(found).toMatchObject({ status: 'completed', title: 'Rule on 2 symbols, 2 timeframes', error: null })
    const { cells, verdict, tries } = found.result
    expect(
      cells.map(({ symbol, timeframe, missing }: never) => [
        symbol,
        timeframe,
        (missing as { code: string } | null)?.code,
      ]),
    ).toEqual([
      ['BTCUSDT', '1d', undefined],
      ['BTCUSDT', '1h', 'no_candles'],
      ['ETHUSDT', '1d', undefined],
      ['ETHUSDT', '1h', 'no_candles'],
    ])
    // The last fifth is kept.
    expect(cells[0].run).toMatchObject({ candles: 400, from: START, to: START + 399 * DAY })
    const run = (await ask(users.admin, 'GET', `backtest/runs/${cells[0].run.id}`)).body
    expect(run).toMatchObject({ symbol: 'BTCUSDT', metrics: cells[0].run.metrics })
    expect(verdict).toMatchObject({ runs: 2, code: 'what_luck_gives' })
    expect(tries).toBe(2)
  })

  it.each([
    [{ symbols: ['BTCUSDT', 'BTCUSDT'] }, 'bad_input'],
    [{ rule: 'short: close > 1 time: 1' }, 'bad_input'],
    [{ mode: 'bot', botId: '01890000-0000-7000-8000-000000000009' }, 'not_found'],
    [{ symbols: Array.from({ length: 50 }, (_, k) => `C${k}USDT`), timeframes: ['1d', '1h', '4h'] }, 'bad_input'],
  ])('with %j is refused with %s', async (change, code) =>
    expect((await ask(users.manager, 'POST', 'batches', { ...BATCH_OF_RULE, ...change })).body).toMatchObject({ code }),
  )
})

describe.each([
  ['walk-forwards', WALK],
  ['batches', BATCH_OF_RULE],
] as const)('%s', (path, request) => {
  it('are asked for by managers and seen by who asked and admins', async () => {
    expect((await ask(null, 'POST', path, request)).status).toBe(401)
    expect((await ask(users.owner, 'POST', path, request)).status).toBe(403)
    const { body } = await ask(users.manager, 'POST', path, request)
    const seen = async (as: Person | null) => (await ask(as, 'GET', `${path}/${body.id}`)).status
    expect([await seen(null), await seen(users.owner), await seen(users.manager), await seen(users.admin)]).toEqual([
      401, 404, 200, 200,
    ])
    expect((await ask(users.owner, 'GET', path)).body).toEqual([])
  })
})
