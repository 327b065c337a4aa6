import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { readRule } from '@shapecast/engine/rules/read-tree'
import { describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { call } from '../../test/support/service-bench.ts'
import { wholeService } from '../../test/support/whole-service.ts'
import { marketOf } from '../market/series-market.ts'
import type { LentModels } from '../models/model-service.ts'
import { trialsOf } from '../trials/trials.ts'
import { backtestBot } from './backtest-bot.ts'
import { orderOf } from './backtest-order.ts'

const HOUR = 3_600_000
const START = Date.parse('2024-01-01')
const random = createRandom(3)
let price = 100
const rows = Array.from({ length: 3000 }, (_, hour) => {
  const open = price
  price *= Math.exp(0.005 * random.normal())
  return [START + hour * HOUR, open, Math.max(open, price), Math.min(open, price), price, 1]
})
const venue = memoryVenue({ 'BTCUSDT 1h': candlesFromRows(rows) })
const { app, db, users } = await wholeService({ venue })
const NO_MODELS = {} as LentModels
const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
  call(app, method, `/bot/api/rules/${path}`, { as: users.owner, ...(body === undefined ? {} : { body }) })
/** What is said of a request that is refused. */
async function refused(path: string, payload: object) {
  const headers = { authorization: `Bearer ${users.owner.token}` }
  const reply = await app.inject({ method: 'POST', url: `/bot/api/rules/${path}`, headers, payload })
  return { status: reply.statusCode, ...reply.json() }
}
const RULE = 'enter: ema(10) > ema(30) and rsi < 80 exit: ema(10) < ema(30) or rsi > 85 trail: 4% time: 60'

describe('checking a rule', () => {
  it('gives its blocks for a text, and its text for the blocks', async () => {
    const { body: ofText } = await ask('POST', 'check', { rule: RULE })
    expect(ofText).toMatchObject({ looksBackCandles: 300, asksModel: false, needsFutures: false })
    expect(readRule(ofText.blocks)).toMatchObject({ trailPct: 4, timeCandles: 60 })
    const { body: ofBlocks } = await ask('POST', 'check', { blocks: ofText.blocks })
    expect(ofBlocks).toEqual(ofText)
  })

  it('names the place of what is wrong in a text, and the block', async () => {
    expect(await refused('check', { rule: 'enter: close > smaa(20) time: 5' })).toEqual({
      status: 400,
      error: 'Line 1, column 16: ‘smaa’ is not known. Did you mean sma?',
      code: 'bad_input',
      field: 'rule',
      data: { place: { offset: 15, length: 4 }, suggestion: 'sma' },
    })
    expect(await refused('check', { blocks: { enter: { kind: 'maybe' } } })).toMatchObject({
      field: 'blocks',
      error: expect.stringContaining('enter.kind must be one of'),
    })
    expect((await ask('POST', 'check', {})).status).toBe(400)
  })
})

it('the library names twelve rules, each of which can be checked', async () => {
  const { body } = await ask('GET', 'library')
  expect(body.rules).toHaveLength(12)
  for (const { rule } of body.rules) expect((await ask('POST', 'check', { rule })).body.rule).toBe(rule)
})

describe('a preview of a rule', () => {
  const preview = (changes: object = {}) =>
    ask('POST', 'preview', { rule: RULE, symbol: 'BTCUSDT', limit: 2000, ...changes })

  it('tests it on all but the last fifth of the candles that are asked for', async () => {
    const { status, body } = await preview()
    expect([status, body.candles, body.hiddenCandles]).toEqual([200, 1600, 400])
    expect([body.from, body.to]).toEqual([START + 1000 * HOUR, START + 2599 * HOUR])
    expect(body.metrics.trades).toBe(body.exits.reduce((sum: number, { count }: { count: number }) => sum + count, 0))
    expect(body.trades.at(-1).exitTime).toBeLessThanOrEqual(body.to)
    expect(body.randomEntries.trades).toBe(body.metrics.trades)
    expect(body.investedPct).toBeGreaterThan(10)
  })

  it('says how often each condition held, and how often it closed something', async () => {
    const { conditions, parts, exits, trades } = (await preview()).body
    expect(conditions.map(({ part, text }: { part: string; text: string }) => `${part} ${text}`)).toEqual([
      'enter ema(10) > ema(30)',
      'enter rsi(14) < 80',
      'exit ema(10) < ema(30)',
      'exit rsi(14) > 85',
    ])
    const [above, calm, below, hot] = conditions
    expect(above.truePct + below.truePct).toBeCloseTo(100, 9)
    expect(calm.truePct).toBeGreaterThan(90)
    expect([above.fired, calm.fired]).toEqual([null, null])
    const signals = exits.find(({ reason }: { reason: string }) => reason === 'signal').count
    expect(below.fired + hot.fired).toBeGreaterThanOrEqual(signals)
    // Both true is the first without those candles at which the second alone was not.
    expect(parts.map(({ part }: { part: string }) => part)).toEqual(['enter', 'exit'])
    expect(parts[0].truePct).toBeCloseTo(above.truePct - calm.decidesPct, 9)
    expect(parts[0].truePct).toBeCloseTo(calm.truePct - above.decidesPct, 9)
    expect(parts[1].truePct).toBeCloseTo(below.truePct + hot.decidesPct, 9)
    for (const { exitReason, because } of trades)
      expect(because).toEqual(
        exitReason === 'signal' ? expect.stringMatching(/^(ema\(10\) < ema\(30\)|rsi\(14\) > 85)/) : undefined,
      )
  })

  it('is the same as a saved run over the same candles', async () => {
    const { body } = await preview()
    const request = BacktestRequest.parse({
      mode: 'rule',
      rule: RULE,
      symbol: 'BTCUSDT',
      from: body.from,
      to: body.to,
      initialBalance: 1000,
      maxDrawdown: 0,
    })
    const { summary, detail } = await backtestBot(
      {
        market: marketOf(venue),
        models: NO_MODELS,
        kept: { find: async () => undefined, put: async () => undefined },
        keptVotes: async () => ({ signals: new Int8Array(), confidences: new Float64Array(), known: 0 }),
        now: () => 0,
      },
      orderOf(request, null),
    )
    expect(summary.metrics).toEqual(body.metrics)
    expect(detail.randomEntries).toEqual(body.randomEntries)
    expect(detail.trades.slice(-200)).toEqual(
      body.trades.map(({ because: _because, ...trade }: { because?: string }) => trade),
    )
  })

  it('counts as a trial of anyone who asks for it, once a rule, and not where it is refused', async () => {
    const rule = 'enter: close > sma(20) time: 12'
    for (const as of [users.other, users.manager, users.admin]) {
      const counted = () =>
        trialsOf(db.orm, [as.userId], { venue: marketOf(venue).venue, symbols: ['BTCUSDT'], timeframe: '1h' })
      const preview = (changes: object) =>
        call(app, 'POST', '/bot/api/rules/preview', { as, body: { rule, symbol: 'BTCUSDT', limit: 2000, ...changes } })
      expect((await preview({})).body.trials).toEqual({ count: 1, byKind: { preview: 1 } })
      await preview({ limit: 1500, feeRate: 0.001, rule: rule.replace('close > sma(20)', 'close>sma( 20 )') })
      await preview({ rule: 'enter: close >' })
      expect(await counted()).toEqual({ count: 1, byKind: { preview: 1 } })
      await preview({ rule: 'enter: close > sma(21) time: 12' })
      expect(await counted()).toEqual({ count: 2, byKind: { preview: 2 } })
    }
  })

  it.each([
    [{ rule: 'enter: p_up > 0.5 time: 1' }, 'needs_model'],
    [{ rule: 'short: close > 1 time: 1' }, 'bad_input'],
    [{ symbol: 'NONEUSDT' }, 'unknown_symbol'],
    [{ to: START + 20 * HOUR }, 'too_few_candles'],
    [{ rule: 'enter: close >' }, 'bad_input'],
  ])('of %j is refused with %s', async (changes, code) =>
    expect((await refused('preview', { rule: RULE, symbol: 'BTCUSDT', ...changes })).code).toBe(code),
  )
})
