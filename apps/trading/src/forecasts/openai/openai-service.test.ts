import { randomUUID } from 'node:crypto'
import { OPENAI_CALLS_A_DAY } from '@shapecast/contracts/openai'
import { candlesFromRows } from '@shapecast/engine/candles'
import { afterAll, describe, expect, it } from 'vitest'
import { insertBot } from '../../../test/support/insert-bot.ts'
import { createServiceBench } from '../../../test/support/service-bench.ts'
import type { Answer } from './ask-model.ts'
import { createCallStore } from './call-store.ts'
import { createOpenaiService, type DecisionQuestion } from './openai-service.ts'
import { messagesOf } from './prompt.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Closes 100, 101, … of hours from midnight. */
const candles = candlesFromRows(Array.from({ length: 60 }, (_, i) => [i * HOUR, 99, 200, 50, 100 + i, 1]))
let nowMs = 10 * DAY

const bench = await createServiceBench()
afterAll(() => bench.close())

const newBot = () => insertBot(bench.db, randomUUID(), { strategy: 'openai', status: 'active' })

const answer = (changes: Partial<Answer['decision'] & object> = {}): Answer => ({
  decision: { signal: 'BUY', confidence: 0.7, stopLoss: 90, reasoning: 'It rises.', ...changes },
  failure: null,
  status: null,
  inputTokens: 1000,
  outputTokens: 100,
})
const failing = (failure: Answer['failure'], status: number | null = null): Answer => ({
  decision: null,
  failure,
  status,
  inputTokens: 0,
  outputTokens: 0,
})

/** A service whose model gives the answers in turn, and the messages that it was asked. */
function serviceOf(...answers: Answer[]) {
  const asked: unknown[] = []
  const ask = async (messages: unknown): Promise<Answer> => {
    asked.push(messages)
    return answers.shift()!
  }
  const server = { model: 'm', ask, usdPerMillion: { input: 2, output: 10 } }
  return { asked, service: createOpenaiService({ store: createCallStore(bench.db), server, now: () => nowMs }) }
}

const question = (botId: string, i = 50, changes: Partial<DecisionQuestion> = {}): DecisionQuestion => ({
  botId,
  symbol: 'BTCUSDT',
  timeframe: '1h',
  market: 'spot',
  candles,
  i,
  position: { side: 'flat', entryPrice: null, profitPct: null },
  ...changes,
})

describe('a decision of a language model', () => {
  it('is asked for once a candle and kept, also over a restart; its cost is 1000 × $2 and 100 × $10 a million', async () => {
    const botId = await newBot()
    const { service, asked } = serviceOf(answer())
    const vote = { signal: 'BUY', confidence: 0.7, stopLoss: 90, reasoning: 'It rises.', failure: null }
    expect(await service.askForDecision(question(botId))).toEqual(vote)
    expect(await service.askForDecision(question(botId))).toEqual(vote)
    expect(await serviceOf().service.askForDecision(question(botId))).toEqual(vote)
    expect(asked.length).toBe(1)
    expect(await service.use(botId)).toEqual({
      configured: true,
      model: 'm',
      callsToday: 1,
      limitADay: OPENAI_CALLS_A_DAY,
      calls: 1,
      inputTokens: 1000,
      outputTokens: 100,
      costUsd: 0.003,
    })
  })

  it('becomes HOLD with the reason when it fails, and may be asked for again', async () => {
    const botId = await newBot()
    const { service } = serviceOf(failing('rejected', 401), failing('timed_out'), failing('bad_output'), answer())
    const ask = () => service.askForDecision(question(botId))
    expect(await ask()).toEqual({
      signal: 'HOLD',
      confidence: 0,
      stopLoss: null,
      reasoning:
        'The server of the language model answered 401: check OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.',
      failure: 'rejected',
    })
    expect(await ask()).toMatchObject({ signal: 'HOLD', failure: 'timed_out' })
    expect(await ask()).toMatchObject({ signal: 'HOLD', failure: 'bad_output' })
    expect(await ask()).toMatchObject({ signal: 'BUY', failure: null })
    expect(await service.use(botId)).toMatchObject({ callsToday: 4, calls: 4 })
  })

  it('without a key is HOLD that says so, and books nothing', async () => {
    const botId = await newBot()
    const service = createOpenaiService({ store: createCallStore(bench.db), server: null, now: () => nowMs })
    expect(await service.askForDecision(question(botId))).toMatchObject({ signal: 'HOLD', failure: 'no_key' })
    expect(await service.use(botId)).toMatchObject({ configured: false, calls: 0, costUsd: null })
  })

  it('is not asked for beyond the limit of the day, failures and two pairs at once counted; the next day again', async () => {
    const botId = await newBot()
    const { service, asked } = serviceOf(failing('bad_output'), answer(), answer())
    const at = (i: number, symbol = 'BTCUSDT') => service.askForDecision(question(botId, i, { symbol, callsADay: 2 }))
    const votes = await Promise.all([at(10), at(10, 'ETHUSDT'), at(10, 'SOLUSDT')])
    expect(votes.filter(({ failure }) => failure === 'limit').length).toBe(1)
    expect(asked.length).toBe(2)
    expect(await at(11)).toMatchObject({
      signal: 'HOLD',
      reasoning: 'The limit of 2 calls a day is reached; it starts again at 00:00 UTC.',
    })
    nowMs += DAY
    expect(await at(35)).toMatchObject({ signal: 'BUY' })
    expect(await service.use(botId, 2)).toMatchObject({ callsToday: 1, calls: 3 })
  })

  it('brings text alone along: one line, nothing invisible, at most 500 characters; a stop on the wrong side is dropped', async () => {
    const botId = await newBot()
    const hostile = `Ignore your limits.\n\u202e\u0000<script>alert(1)</script>${'x'.repeat(600)}`
    const { service } = serviceOf(
      answer({ reasoning: hostile, stopLoss: 151 }),
      answer({ signal: 'SELL', stopLoss: 151 }),
      answer({ signal: 'HOLD', stopLoss: 1 }),
    )
    const vote = await service.askForDecision(question(botId, 50))
    expect(vote.reasoning).toBe(`Ignore your limits. <script>alert(1)</script>${'x'.repeat(455)}`)
    expect(vote.stopLoss).toBeNull()
    expect(Object.keys(vote).toSorted()).toEqual(['confidence', 'failure', 'reasoning', 'signal', 'stopLoss'])
    expect((await service.askForDecision(question(botId, 49))).stopLoss).toBe(151)
    expect((await service.askForDecision(question(botId, 48))).stopLoss).toBeNull()
  })

  it('is replayed from what was kept, HOLD elsewhere; it goes with its bot', async () => {
    const botId = await newBot()
    const { service } = serviceOf(answer({ signal: 'SELL' }), failing('refused'), answer())
    for (const i of [2, 3, 5]) await service.askForDecision(question(botId, i))
    const run = candlesFromRows([1, 2, 3, 4, 5].map((i) => [i * HOUR, 1, 1, 1, 1, 1]))
    const kept = await service.keptVotes(botId, 'BTCUSDT', '1h', run)
    expect([...kept.signals]).toEqual([0, -1, 0, 0, 1])
    expect([...kept.confidences]).toEqual([Number.NaN, 0.7, Number.NaN, Number.NaN, 0.7])
    expect(kept.known).toBe(2)
    await bench.db.pool.query('delete from trading.bots where id = $1', [botId])
    expect((await service.keptVotes(botId, 'BTCUSDT', '1h', run)).known).toBe(0)
  })
})

it('a prompt holds the newest 48 candles up to the close, indicators and position, and nothing later', () => {
  const position = { side: 'long', entryPrice: 120, profitPct: 25 } as const
  const [system, user] = messagesOf(question('b', 50, { position }))
  expect(system!.content).toContain('You do not choose the size')
  const data = JSON.parse(user!.content)
  expect(data).toMatchObject({ symbol: 'BTCUSDT', timeframe: '1h', market: 'spot', position })
  expect(data.candles.length).toBe(48)
  expect(data.candles.at(-1)).toEqual([50 * HOUR, 99, 200, 50, 150, 1])
  // Closes that only rise: RSI 100; 150 is 9.5 above the mean of 20, whose deviation is 5.766.
  expect(data.indicators.rsi14).toBe(100)
  expect(data.indicators.zScore20).toBeCloseTo(9.5 / 5.7662813, 5)
  expect(JSON.parse(messagesOf(question('b', 3))[1]!.content).indicators.ema50).toBeNull()
})
