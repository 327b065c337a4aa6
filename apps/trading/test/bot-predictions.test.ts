import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { afterAll, describe, expect, it } from 'vitest'
import { createBotPredictionService } from '../src/bots/bot-prediction-service.ts'
import { createBotPredictionStore } from '../src/bots/prediction-store.ts'
import { botPredictionRoutes } from '../src/bots/routes.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'

const BTC = generateCandles({ candles: 1600, seed: 3 })

const venue = memoryVenue({ 'BTCUSDT 1h': BTC })
const bench = await createPartsBench(venue, () => 1000)
const parts = bench.parts
const app = bench.mount((server) => botPredictionRoutes(server, parts.bots().botPredictions))
await addQuickModel(bench.db, 'v3', 'BTCUSDT', MODEL_CANDLES)
await addQuickModel(bench.db, 'v4', 'BTCUSDT', MODEL_CANDLES, { seed: 2 })
await bench.db.pool.query("insert into trading.models values ('untrained', 'staging', null, 1)")
afterAll(() => bench.close())

describe("bots' predictions", () => {
  let made = 0
  const bot = (draft: object, as: Person) =>
    parts.bots().bots.create(
      {
        name: `b${made++}`,
        description: '',
        strategy: 'ml',
        tradingPairs: ['BTCUSDT'],
        positionSize: 0.001,
        maxDrawdown: 10,
        riskLevel: 'medium',
        initialBalance: 10,
        marketType: 'spot',
        leverage: 1,
        takeProfitPct: 0,
        stopLossPct: 0,
        isVirtual: true,
        visibility: 'private',
        ...draft,
      },
      as,
    )

  /** As a bot is whose model or key was lost after it had been made. */
  const turnInto = (id: string, set: string) =>
    bench.db.pool.query(`update trading.bots set ${set} where id = $1`, [id])

  it('are null before anybody asked, kept when asked, and seen by whom may see the bot', async () => {
    const { owner, other, admin } = bench.users
    const own = await bot({ mlModelVersion: 'v4' }, owner)
    const shown = await bot({ visibility: 'public' }, owner)
    const last = (id: string, as: Person | null) => call(app, 'GET', `/api/bots/${id}/last-prediction`, { as })
    expect((await last(own, owner)).body).toBeNull()
    expect((await call(app, 'POST', `/api/bots/${own}/poll-prediction`, { as: other })).status).toBe(404)
    const polled = await call(app, 'POST', `/api/bots/${own}/poll-prediction`, { as: owner })
    expect(polled.body).toMatchObject({ botId: own, symbol: 'BTCUSDT', timeframe: '1h', rule: null, madeAt: 1000 })
    expect(polled.body.votes).toHaveLength(1)
    expect(polled.body.votes[0].version).toBe('v4')
    // A single model's verdict is the bot's.
    expect(polled.body.verdict).toMatchObject({ costBps: 22, horizon: 1 })
    expect(polled.body.verdict).toEqual(polled.body.votes[0].prediction.verdict)
    expect((await last(own, owner)).body).toEqual(polled.body)
    expect((await last(own, other)).status).toBe(404)
    expect((await last(own, null)).status).toBe(401)
    await call(app, 'POST', `/api/bots/${shown}/poll-prediction`, { as: other })

    const many = (as: Person | null, path = '/api') =>
      call(app, 'GET', `${path}/bots/last-predictions?ids=${own},${shown}`, { as })
    expect(Object.keys((await many(owner)).body).sort()).toEqual([own, shown].sort())
    expect(Object.keys((await many(admin)).body)).toHaveLength(2)
    expect(Object.keys((await many(other)).body)).toEqual([shown])
    expect(Object.keys((await many(null, '/public')).body)).toEqual([shown])
    expect((await call(app, 'GET', '/api/bots/last-predictions?ids=', { as: owner })).body).toEqual({})
    const tooMany = Array.from({ length: 201 }, () => own).join(',')
    expect((await call(app, 'GET', `/api/bots/last-predictions?ids=${tooMany}`, { as: owner })).status).toBe(400)
  })

  it('are not found when the bot is deleted while its models are asked', async () => {
    const { owner } = bench.users
    const id = await bot({ mlModelVersion: 'v4' }, owner)
    const service = createBotPredictionService({
      store: createBotPredictionStore(bench.db.orm, 'replay'),
      read: parts.bots().bots.read,
      async predict(asked) {
        await parts.bots().bots.delete(id, owner)
        return parts.forecasts().predictions.predict(asked)
      },
      pinsOf: async () => [],
      now: () => 1000,
    })
    const slow = bench.mount((server) => botPredictionRoutes(server, service))
    const { status, body } = await call(slow, 'POST', `/api/bots/${id}/poll-prediction`, { as: owner })
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.error).toContain('deleted meanwhile')
  })

  it("are asked for on the bot's own timeframe", async () => {
    const { owner } = bench.users
    const id = await bot({ mlModelVersion: 'v4' }, owner)
    await turnInto(id, `parameters = '{"timeframe": "15m"}'`)
    const { status, body } = await call(app, 'POST', `/api/bots/${id}/poll-prediction`, { as: owner })
    expect([status, body.error]).toEqual([422, expect.stringContaining('15m')])
  })

  it('are combined by the rule of an ensemble, and name the model that could not predict', async () => {
    const { owner } = bench.users
    const consensusConfig = { strategy: 'unanimous', minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' }
    const id = await bot({ mlModelVersions: ['v3', 'v4'], consensusConfig }, owner)
    await turnInto(id, `ml_model_versions = '{v3,v4,untrained}'`)
    const { status, body } = await call(app, 'POST', `/api/bots/${id}/poll-prediction`, { as: owner })
    expect(status).toBe(200)
    const [a, b, c] = body.votes
    expect(c).toMatchObject({ version: 'untrained', prediction: null, error: expect.stringContaining('not trained') })
    const agreed = a.prediction.signal === b.prediction.signal
    expect(body.signal).toBe(agreed ? a.prediction.signal : 'HOLD')
    expect(body.rule).toBe(agreed ? 'unanimous' : 'disagreement_hold')
  })

  it('are the last decision of a bot that decides by OpenAI, and HOLD before its first', async () => {
    const { owner } = bench.users
    const id = await bot({}, owner)
    await turnInto(id, "strategy = 'openai'")
    const poll = () => call(app, 'POST', `/api/bots/${id}/poll-prediction`, { as: owner })
    expect(await poll()).toMatchObject({ status: 200, body: { signal: 'HOLD', confidence: 0, votes: [] } })
    const last = () => call(app, 'GET', `/api/bots/${id}/last-prediction`, { as: owner })
    expect((await last()).body).toBeNull()
    const vote = { version: 'openai', signal: 'SELL', confidence: 0.71, pUp: null, edgeBps: null }
    const decide = (candleTs: number, rule: string, signal: string, votes: object[]) =>
      bench.db.pool.query(
        `insert into trading.bot_decisions (id, bot_id, symbol, candle_ts, votes, rule, signal, action, reason, decided_at_ms)
         values (gen_random_uuid(), $1, 'BTCUSDT', $2, $3, $4, $5, 'no_order', 'Because.', $6)`,
        [id, candleTs, JSON.stringify(votes), rule, signal, candleTs + 5],
      )
    await decide(1_000, 'openai', 'BUY', [{ ...vote, signal: 'BUY' }])
    await decide(2_000, 'openai', 'SELL', [vote])
    await decide(3_000, 'missed', 'HOLD', [])
    const said = { signal: 'SELL', confidence: 0.71, rule: 'openai', symbol: 'BTCUSDT', madeAt: 2_005 }
    expect((await last()).body).toMatchObject(said)
    expect((await poll()).body).toMatchObject(said)
    const several = await call(app, 'GET', `/api/bots/last-predictions?ids=${id}`, { as: owner })
    expect(several.body[id]).toMatchObject(said)
  })
})
