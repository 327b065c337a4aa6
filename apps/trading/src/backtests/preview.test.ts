import { readFileSync } from 'node:fs'
import type { BotPreview } from '@shapecast/contracts/bot-preview'
import { BotDraft } from '@shapecast/contracts/bots'
import { haltedYears } from '@shapecast/contracts/policy-figures'
import { runPairs } from '@shapecast/engine/backtest-pairs'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, candlesFromRows, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { planOf } from '@shapecast/engine/policies/plan'
import { targetColumn, targetPlanOf } from '@shapecast/engine/policies/targets'
import { createRandom } from '@shapecast/engine/random'
import { sharedFile } from '@shapecast/venues/testing/shared-data'
import { describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { call } from '../../test/support/service-bench.ts'
import { wholeService } from '../../test/support/whole-service.ts'
import { marketOf } from '../market/series-market.ts'
import { backtestBot } from './backtest-bot.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2021-01-01')

function walk(seed: number, days: number, startMs = START, volume = 1): Candles {
  const random = createRandom(seed)
  let price = 100
  return candlesFromRows(
    Array.from({ length: days * 24 }, (_, hour) => {
      const open = price
      price *= Math.exp(0.00002 + 0.007 * random.normal())
      return [startMs + hour * HOUR, open, Math.max(open, price), Math.min(open, price), price, volume]
    }),
  )
}

const series = {
  'BTCUSDT 1h': walk(1, 560),
  'ETHUSDT 1h': walk(2, 460, START + 100 * DAY),
  'NEWUSDT 1h': walk(3, 40, START + 520 * DAY),
  'BTCUSDT 5m': walk(4, 2),
  'DEADUSDT 1h': walk(5, 400, START, 5),
}
const draft = {
  name: 'Not there yet',
  tradingPairs: ['BTCUSDT', 'ETHUSDT'],
  initialBalance: 1000,
  maxDrawdown: 20,
  riskLevel: 'medium',
  parameters: { policy: 'trend_ensemble' },
}
const { app, users } = await wholeService({ venue: memoryVenue(series) })
const preview = (changes: object = {}, as = users.owner) =>
  call(app, 'POST', '/bot/api/bots/preview', { as, body: { ...draft, ...changes } })

/** The same settings through a plain backtest from the first decision at `from` (a close) to the close `to`. */
function backtested(pairs: Record<string, Candles>, from: number, to: number, changes: object = {}) {
  const plan = targetPlanOf({ policy: 'trend_ensemble', riskLevel: 'medium', pairs: Object.keys(pairs).length })!
  return runPairs(
    Object.entries(pairs).map(([symbol, candles]) => {
      const first = indexAtOrAfter(candles, from - HOUR)
      const known = sliceCandles(candles, 0, indexAtOrAfter(candles, to))
      return {
        symbol,
        candles: sliceCandles(known, first),
        decisions: targetColumn(plan, known, first, '1h', []),
        settings: backtestSettings({
          market: 'spot',
          timeframe: '1h',
          initialBalance: 1000,
          leverage: 1,
          sizing: { kind: 'fixed', quantity: 1 },
          feeRate: 0.0006,
          slippageBps: 5,
          lotSize: 0.001,
          minNotional: 5,
          maxDrawdownPct: 20,
          targetBand: plan.band,
          ...changes,
        }),
      }
    }),
  )
}

describe('what settings would have done', () => {
  it('says of a share that hardly changes that there is hardly an edge, and how long one would take to be told', async () => {
    const edgeOf = async (policy: string): Promise<NonNullable<BotPreview['edge']>> =>
      (await preview({ tradingPairs: ['BTCUSDT'], maxDrawdown: 80, parameters: { policy } })).body.edge
    const [fixed, trend] = [await edgeOf('fixed_share'), await edgeOf('trend_ensemble')]
    expect(fixed.volatilityPct).toBeLessThan(2)
    expect(trend.volatilityPct).toBeGreaterThan(5)
    expect(trend.years! * (trend.pctAYear / trend.volatilityPct) ** 2).toBeCloseTo(8.1, 9)
  })

  it('begins where every pair can be decided, and is a backtest of the same settings to the bit', async () => {
    const { status, body } = await preview()
    expect(status).toBe(200)
    const told = body as BotPreview
    // ETH begins on day 100; its 60th daily close comes 60 days later, and its first candle gives none.
    expect([told.from, told.to]).toEqual([START + 160 * DAY, START + 560 * DAY])
    expect(told).toMatchObject({
      policy: 'trend_ensemble',
      symbols: ['BTCUSDT', 'ETHUSDT'],
      timeframe: '1h',
      candles: 400 * 24 + 1,
      feeRate: 0.0006,
      slippageBps: 5,
      minimumOrder: 5,
      smallestBalance: { works: 100, refusedBelow: 50 },
    })
    const pairs = { BTCUSDT: series['BTCUSDT 1h'], ETHUSDT: series['ETHUSDT 1h'] }
    const tested = backtested(pairs, told.from, told.to)
    expect(told.policyRun.finalBalance).toBe(tested.finalEquity)
    expect(told.policyRun.haltedAt).toBe(tested.haltedAt ?? null)
    // A year from every seventh day on: 400 − 365 = 35 days, so six of them.
    expect(told.years).toMatchObject({ starts: 6, daysBetween: 7 })
    const years = Array.from({ length: 6 }, (_, k) => {
      const from = told.from + 7 * k * DAY
      return backtested(pairs, from, from + 365 * DAY)
    })
    const returns = years.map(({ finalEquity }) => 100 * (finalEquity / 1000 - 1)).sort((a, b) => a - b)
    expect(told.years!.policy.returnPct.lowest).toBe(returns[0])
    expect(told.years!.policy.returnPct.median).toBeCloseTo((returns[2]! + returns[3]!) / 2, 9)
    expect(told.years!.policy.returnPct.highest).toBe(returns[5])
    expect(told.years!.halted).toBe(years.filter(({ haltedAt }) => haltedAt !== null).length)
  })

  it('rests its rebalances where they are post-only, to the bit as a backtest of that, and says what that saved and lost', async () => {
    const costs = { feeRate: 0.004, slippageBps: 5, postOnly: { makerFeeRate: 0.0025 } }
    const { status, body } = await preview({ parameters: { policy: 'trend_ensemble', costs } })
    expect(status).toBe(200)
    const told = body as BotPreview
    const pairs = { BTCUSDT: series['BTCUSDT 1h'], ETHUSDT: series['ETHUSDT 1h'] }
    const postOnly = { makerFeeRate: 0.0025, tickSize: 0.01 }
    const tested = backtested(pairs, told.from, told.to, { feeRate: 0.004, postOnly })
    expect(told).toMatchObject(costs)
    expect(told.policyRun.finalBalance).toBe(tested.finalEquity)
    expect(told.policyRun.posted).toEqual(tested.posted)
    expect(told.policyRun.posted!.filled).toBeGreaterThan(0)
    expect(told.holdRun.posted).toBeUndefined()
    const dearer = await preview({
      parameters: { policy: 'trend_ensemble', costs: { postOnly: { makerFeeRate: 0.001 } } },
    })
    expect([dearer.status, dearer.body.error]).toEqual([400, expect.stringContaining('at most that of a taker')])
  })

  it('says what each month of the years had made, of holding the change of the close since it was bought', async () => {
    const { body } = await preview({ tradingPairs: ['BTCUSDT'] })
    const { years, from } = body as BotPreview
    expect(years!.policy.returnPctByMonth.at(-1)).toEqual(years!.policy.returnPct)
    expect(years!.hold.returnPctByMonth.at(-1)).toEqual(years!.hold.returnPct)
    const { open, close } = series['BTCUSDT 1h']
    // From the close of hour `from` on; the candle that closes 730 hours a month later opens an hour before that.
    const returns = (month: number) =>
      Array.from({ length: years!.starts }, (_, k) => {
        const start = (from - START) / HOUR + 7 * 24 * k
        return 100 * (close[start + 730 * month - 1]! / (open[start]! * 1.0005 * 1.0006) - 1)
      })
    for (const month of [1, 2, 11]) {
      const { lowest, highest } = years!.hold.returnPctByMonth[month - 1]!
      expect(lowest).toBeCloseTo(Math.min(...returns(month)), 8)
      expect(highest).toBeCloseTo(Math.max(...returns(month)), 8)
    }
    const tested = Array.from({ length: years!.starts }, (_, k) => {
      const start = from + 7 * k * DAY
      const pairs = { BTCUSDT: series['BTCUSDT 1h'] }
      return 100 * (backtested(pairs, start, start + 730 * HOUR).finalEquity / 1000 - 1)
    })
    expect(years!.policy.returnPctByMonth[0]!.lowest).toBeCloseTo(Math.min(...tested), 9)
  })

  it('says what the same settings did on each of several pairs alone: what a preview of that pair says', async () => {
    const { body } = await preview()
    const [btc, eth] = await Promise.all(
      ['BTCUSDT', 'ETHUSDT'].map(async (symbol) => {
        const { body } = await preview({ tradingPairs: [symbol] })
        const { from, to, policyRun, holdRun, alone } = body as BotPreview
        expect(alone).toEqual([])
        return { symbol, from, to, policyRun, holdRun }
      }),
    )
    expect((body as BotPreview).alone).toEqual([btc, eth])
    // BTC could be decided a hundred days before ETH.
    expect(btc!.from).toBe(eth!.from - 100 * DAY)
  })

  it('stands beside holding equal parts, bought at the next open with costs', async () => {
    const { body } = await preview({ tradingPairs: ['BTCUSDT'] })
    const { open, close, ts } = series['BTCUSDT 1h']
    const i = indexAtOrAfter(series['BTCUSDT 1h'], body.from)
    expect(ts[i]).toBe(body.from)
    const bought = 1000 / (open[i]! * 1.0005 * 1.0006)
    expect(body.holdRun.finalBalance).toBeCloseTo(bought * close.at(-1)!, 8)
    expect(body.holdRun).toMatchObject({ orders: 1, tooSmall: 0, haltedAt: null })
  })

  it('tells of orders below the smallest one, and of a limit that ends it', async () => {
    const { body: poor } = await preview({ initialBalance: 40 })
    expect(poor.policyRun.tooSmall).toBeGreaterThan(0)
    const { body: strict } = await preview({ maxDrawdown: 2 })
    expect(strict.policyRun.haltedAt).not.toBeNull()
    expect(strict.years.halted).toBe(strict.years.starts)
  })

  it('has no years where less than one is stored', async () => {
    const { body } = await preview({ tradingPairs: ['NEWUSDT'], parameters: { policy: 'steady_risk' } })
    expect(body.years).toBeNull()
    // The week of moves that it needs is known an hour into the eighth day, and it decides at once.
    expect(body.candles).toBe(33 * 24)
  })

  it.each([
    ['the signal', { parameters: { policy: 'signal' } }, 'needs_model'],
    ['no policy', { parameters: undefined }, 'needs_model'],
    ['a model as brake', { parameters: { policy: 'model_brake' }, maxDrawdown: 60 }, 'needs_model'],
    ['an unknown pair', { tradingPairs: ['DOGEUSDT'] }, 'unknown_symbol'],
    ['a series that is not stored', { parameters: { policy: 'trend_ensemble', timeframe: '4h' } }, 'no_candles'],
    ['too short a history', { tradingPairs: ['BTCUSDT', 'NEWUSDT'] }, 'too_few_candles'],
  ])('%s is refused with a reason of its own', async (_what, changes, code) => {
    const { status, body } = await preview({ maxDrawdown: 20, ...changes })
    expect([status, body.code]).toEqual([422, code])
    if (code === 'too_few_candles')
      expect(body.error).toContain('NEWUSDT 1h has 40 days of candles; this policy needs 60')
  })

  it.each([
    ['a limit above 90 percent', { maxDrawdown: 91 }, 'maxDrawdown'],
    ['a stop-loss', { stopLossPct: 5 }, 'stopLossPct'],
    ['a pair twice', { tradingPairs: ['BTCUSDT', 'BTCUSDT'] }, 'tradingPairs'],
    ['futures', { marketType: 'futures' }, 'parameters.policy'],
    ['candles of 5 minutes', { parameters: { policy: 'steady_risk', timeframe: '5m' } }, 'parameters.timeframe'],
  ])('%s is bad input', async (_what, changes, field) => {
    const { status, body } = await preview(changes)
    expect([status, body.code, body.field]).toEqual([400, 'bad_input', field])
  })

  it('is for people who are signed in', async () => {
    expect((await call(app, 'POST', '/bot/api/bots/preview', { body: draft })).status).toBe(401)
  })
})

it('a person has two under way, and is told to wait for a third', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  let asked = 0
  const venue = memoryVenue(series)
  const slow = await wholeService({
    venue: {
      ...venue,
      async candles(...query) {
        if (++asked === 3) waiting.resolve()
        await opened
        return venue.candles(...query)
      },
    },
  })
  const ask = (as: (typeof slow.users)['owner']) =>
    call(slow.app, 'POST', '/bot/api/bots/preview', { as, body: { ...draft, tradingPairs: ['BTCUSDT'] } })
  const first = [ask(slow.users.owner), ask(slow.users.owner), ask(slow.users.other)]
  await waiting.promise
  const third = await ask(slow.users.owner)
  expect([third.status, third.body.code, third.headers['retry-after']]).toEqual([429, 'too_many_requests', '2'])
  open()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await ask(slow.users.owner)).status).toBe(200)
})

it('a preview on a simulated market says that the history of real coins does not apply', async () => {
  const simulated = await wholeService({ venue: { ...memoryVenue(series), name: 'simulated', kind: 'simulated' } })
  const reply = await call(simulated.app, 'POST', '/bot/api/bots/preview', { as: simulated.users.owner, body: draft })
  expect([reply.status, reply.body.code]).toEqual([422, 'simulated_market'])
})

const hours = sharedFile('BTCUSDT-1h-2017-2024.csv')
it.skipIf(hours.missing)(
  'over the years of BTC the default drawdown limit ends no start, and one of 20 % about a quarter',
  async () => {
    const rows = readFileSync(hours.path, 'utf8').trim().split('\n').slice(1)
    const venue = memoryVenue({ 'BTCUSDT 1h': candlesFromRows(rows.map((row) => row.split(',').map(Number))) })
    const real = await wholeService({ venue })
    const ask = async (maxDrawdown: number) => {
      const body = { ...draft, tradingPairs: ['BTCUSDT'], initialBalance: 1e6, maxDrawdown }
      return (await call(real.app, 'POST', '/bot/api/bots/preview', { as: real.users.owner, body })).body.years
    }
    const [usual, tight] = [await ask(30), await ask(20)]
    expect(usual.halted).toBe(0)
    // The form's figure is of starts from 2018 on, here they begin in October 2017.
    expect(tight.halted / tight.starts).toBeCloseTo(haltedYears('trend_ensemble', 'medium', 20)! / 277, 1)
  },
)

it('the two most traded of four did in a preview what they do in a backtest of the bot, the one that died and the late one included', async () => {
  const tradingPairs = ['BTCUSDT', 'DEADUSDT', 'ETHUSDT', 'NEWUSDT']
  const parameters = { policy: 'steady_risk', mostTraded: 2 } as const
  const settings = { tradingPairs, parameters, maxDrawdown: 80 }
  const { status, body: json } = await preview(settings)
  expect(status).toBe(200)
  const shown = json as BotPreview
  expect(shown.alone).toEqual([])
  // Members are chosen by the candles of January first.
  expect(new Date(shown.from).toISOString()).toBe('2021-02-01T00:00:00.000Z')
  const bot = { ...BotDraft.parse({ ...draft, ...settings }), mlModelVersion: null, mlModelVersions: null }
  const order = {
    mode: 'bot',
    bot: { id: null, name: 'B', strategy: 'ml', riskLevel: 'medium', positionSize: 1 },
    plan: planOf({ ...bot, consensusConfig: null, parameters }),
    symbol: 'BTCUSDT',
    symbols: tradingPairs,
    timeframe: '1h',
    fromMs: shown.from - HOUR,
    toMs: shown.to - HOUR,
    limit: 1,
    feeRate: 0.0006,
    slippageBps: 5,
    noSameBarReentry: true,
  } as const
  const unasked = () => Promise.reject(new Error('no model is asked'))
  const deps = {
    market: marketOf(memoryVenue(series)),
    models: { currentOn: unasked, requireVersion: unasked, find: unasked, use: unasked },
    kept: { find: unasked, put: unasked },
    keptVotes: unasked,
    now: () => 0,
  }
  const { summary, detail } = await backtestBot(deps, { ...order, symbols: [...tradingPairs] })
  expect(summary.finalBalance).toBe(shown.policyRun.finalBalance)
  expect(summary.metrics.maxDrawdownPct).toBe(shown.policyRun.maxDrawdownPct)
  const byDeath = detail.trades.filter(({ exitReason }) => exitReason === 'no_candles')
  const died = series['DEADUSDT 1h']
  // Its last candle is that of the 4th of February 2022, 23:00.
  expect(byDeath.map(({ symbol, exitTime }) => [symbol, new Date(exitTime + HOUR).toISOString()])).toEqual([
    ['DEADUSDT', '2022-03-01T00:00:00.000Z'],
  ])
  expect(byDeath.every(({ exitPrice }) => Math.abs(exitPrice / died.close.at(-1)! - 0.9995) < 1e-9)).toBe(true)
  // The newest 300 hours are those after its death: it takes no part.
  const late = await backtestBot(deps, {
    ...order,
    fromMs: undefined,
    toMs: undefined,
    limit: 300,
    symbols: [...tradingPairs],
  })
  expect(late.summary).toMatchObject({ candles: 300, symbols: ['BTCUSDT', 'ETHUSDT', 'NEWUSDT'] })
})
