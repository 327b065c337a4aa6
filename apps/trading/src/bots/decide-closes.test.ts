import { AppError } from '@shapecast/contracts/errors'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createPortfolio } from '@shapecast/engine/portfolio'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { beforeEach, expect, it } from 'vitest'
import { invented, inventedModel } from '../../test/support/bots-bench.ts'
import { createCloses } from './decide-closes.ts'
import type { DecisionRound } from './decision-round.ts'
import type { RunningBot } from './running-bots.ts'

const HOUR = 3_600_000
const NOW = 100 * HOUR + 1_000

const botOf = (id: string, over: Partial<RunningBot['bot']> = {}): RunningBot =>
  ({
    bot: {
      id,
      status: 'active',
      strategy: 'ml',
      isVirtual: true,
      tradingPairs: ['BTCUSDT'],
      mlModelVersion: 'v1',
      mlModelVersions: null,
      marketType: 'spot',
      parameters: null,
      ...over,
    },
    state: { timeframe: '1h', decidedTs: 98 * HOUR, portfolio: createPortfolio(1_000, ['BTCUSDT']) },
    pins: [],
  }) as unknown as RunningBot

/** All bots, and what was done. */
let bots: RunningBot[]
let asked: string[]
let gone: Set<string>
let decided: string[]
let openai: PromiseWithResolvers<void>
let exchange: PromiseWithResolvers<void>
let rounds: Set<DecisionRound>
beforeEach(() => {
  ;[bots, asked, decided, rounds] = [[], [], [], new Set()]
  gone = new Set()
  openai = Promise.withResolvers()
  exchange = Promise.withResolvers()
})

function closesOf() {
  const take = async (due: readonly RunningBot[], round: DecisionRound): Promise<number> => {
    rounds.add(round)
    const still = due.filter((running) => round.isDue(running))
    for (const running of still) Object.assign(running.state, { decidedTs: round.closedTs })
    decided.push(...still.map(({ bot }) => bot.id))
    return still.length
  }
  return createCloses({
    market: {
      now: async () => NOW,
      async load(symbol) {
        if (gone.has(symbol)) throw new AppError('unknown_symbol', `There is no market ${symbol}.`)
        return candlesFromRows([98, 99].map((hour) => [hour * HOUR, 1, 1, 1, 1, 1]))
      },
      rules: async () => null,
    },
    store: {
      timeframes: async () => ['1h'],
      due: async ({ pace }, closedTs, after) =>
        bots.filter(
          ({ bot, state }) =>
            (bot.strategy === 'openai') === (pace === 'slow') &&
            state.decidedTs < closedTs &&
            (after === null || bot.id > after),
        ),
    },
    async forecast({ version }, symbol, _timeframe, ts) {
      asked.push(`${version} ${symbol} ${ts / HOUR}`)
      return invented(version, symbol, ts)
    },
    currentModel: inventedModel,
    async askOpenai({ botId }) {
      asked.push(`openai for ${botId}`)
      await openai.promise
      return { signal: 'HOLD', confidence: 0.5, reasoning: 'Invented.', failure: null }
    },
    paper: { decide: take },
    exchange: {
      async decide(due, round) {
        asked.push('exchange')
        await exchange.promise
        return take(due, round)
      },
    },
    log: silentLogger(),
  })
}

it('decides virtual bots and those with real money in one round, and asks their model once', async () => {
  bots = [botOf('a'), botOf('b'), botOf('c', { isVirtual: false }), botOf('d', { isVirtual: false })]
  exchange.resolve()
  const closes = closesOf()
  expect(await closes.decideDue('1h')).toBe(2)
  await closes.idle()
  expect(decided).toEqual(['a', 'b', 'c', 'd'])
  expect(rounds.size).toBe(1)
  expect(asked).toEqual(['v1 BTCUSDT 99', 'exchange'])
})

it('asks a model once though two closes of a timeframe are told at the same time', async () => {
  bots = [botOf('a'), botOf('b')]
  const closes = closesOf()
  expect(await Promise.all([closes.decideDue('1h'), closes.decideDue('1h')])).toEqual([2, 0])
  expect(asked).toEqual(['v1 BTCUSDT 99'])
})

it('lets no bot wait for a language model or for the exchange', async () => {
  bots = [botOf('a'), botOf('b', { strategy: 'openai' }), botOf('c', { isVirtual: false })]
  const closes = closesOf()
  await closes.catchUp()
  expect(decided).toEqual(['a'])
  await eventually(async () => expect(asked.toSorted()).toEqual(['exchange', 'openai for b', 'v1 BTCUSDT 99']))
  exchange.resolve()
  await eventually(async () => expect(decided).toEqual(['a', 'c']))
  openai.resolve()
  await closes.idle()
  expect(decided).toEqual(['a', 'c', 'b'])
})

it('asks neither the language model nor the exchange again while an answer is awaited', async () => {
  bots = [botOf('b', { strategy: 'openai' }), botOf('c', { isVirtual: false })]
  const closes = closesOf()
  for (let k = 0; k < 3; k++) await closes.catchUp()
  await eventually(async () => expect(asked).toContain('openai for b'))
  expect(asked.filter((one) => one === 'exchange' || one.startsWith('openai'))).toHaveLength(2)
  openai.resolve()
  exchange.resolve()
  await closes.idle()
  expect(decided.toSorted()).toEqual(['b', 'c'])
})

it('a close that failed is decided at the next look', async () => {
  bots = [botOf('c', { isVirtual: false })]
  const closes = closesOf()
  exchange.reject(new Error('by the test'))
  await closes.decideDue('1h')
  await closes.idle()
  expect(decided).toEqual([])
  exchange = Promise.withResolvers()
  exchange.resolve()
  await closes.catchUp()
  await closes.idle()
  expect(decided).toEqual(['c'])
})

it('a bot whose market cannot be read delays no other bot, and decides once the market can be read', async () => {
  const ofGone = { tradingPairs: ['BTCUSDT', 'OLDUSDT'] }
  bots = [botOf('a', ofGone), botOf('b'), botOf('c', { ...ofGone, isVirtual: false }), botOf('d', { isVirtual: false })]
  gone.add('OLDUSDT')
  exchange.resolve()
  const closes = closesOf()
  await closes.catchUp()
  await closes.idle()
  expect(decided).toEqual(['b', 'd'])
  gone.clear()
  for (const running of [bots[0]!, bots[2]!]) running.state.portfolio = createPortfolio(1_000, ['BTCUSDT', 'OLDUSDT'])
  await closes.catchUp()
  await closes.idle()
  expect(decided).toEqual(['b', 'd', 'a', 'c'])
})
