import { candlesFromRows } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { wholeService } from '../../test/support/whole-service.ts'

const HOUR = 3_600_000
const rows = Array.from({ length: 100 }, (_, hour) => [hour * HOUR, 100, 101, 99, 100, 1])
const { app, users } = await wholeService({ venue: memoryVenue({ 'BTCUSDT 1h': candlesFromRows(rows) }) })

const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
  const headers = { authorization: `Bearer ${users.admin.token}` }
  const reply = await app.inject({ method, url: `/bot/api/bots${path}`, headers, ...(payload && { payload }) })
  return { status: reply.statusCode, ...reply.json() }
}
const RULE = 'enter: close > sma(20) exit: close < sma(20) trail: 5%'
let made = 0
const create = (parameters: object, changes: object = {}) =>
  send('POST', '', {
    name: `Rule ${++made}`,
    initialBalance: 100,
    parameters: { policy: 'rule', ...parameters },
    ...changes,
  })

describe('a bot with a rule', () => {
  it('keeps its text, needs no model, and takes another text while it is stopped', async () => {
    const { status, data } = await create({ rule: RULE })
    expect(status).toBe(200)
    const next = { policy: 'rule', rule: 'enter: close > ema(9) time: 12' }
    expect((await send('GET', `/${data.botId}`)).data.parameters).toEqual({ policy: 'rule', rule: RULE })
    expect((await send('PATCH', `/${data.botId}`, { parameters: next })).data.parameters).toEqual(next)
  })

  it('is refused where the rule cannot be read, in words that name the place, made or changed', async () => {
    const wrong = { policy: 'rule', rule: 'enter: close > smaa(20) time: 5' }
    const words = {
      status: 400,
      code: 'bad_input',
      field: 'parameters.rule',
      error: 'Line 1, column 16: ‘smaa’ is not known. Did you mean sma?',
      data: { place: { offset: 15, length: 4 }, suggestion: 'sma' },
    }
    expect(await create(wrong)).toEqual(words)
    const { data } = await create({ rule: RULE })
    expect(await send('PATCH', `/${data.botId}`, { parameters: wrong })).toEqual(words)
    expect((await send('GET', `/${data.botId}`)).data.parameters.rule).toBe(RULE)
  })

  it.each([
    ['without a text', {}, {}, 'Write the rule'],
    ['with real money', { rule: RULE }, { isVirtual: false }, 'A rule trades virtual money only'],
    ['with an ensemble', { rule: RULE }, { mlModelVersions: ['v1', 'v2'] }, 'A rule looks at one model'],
    ['with a language model', { rule: RULE }, { strategy: 'openai' }, 'trades its signal'],
    ['that sells short on spot', { rule: 'short: close > 1 time: 5' }, {}, '‘short:’ needs futures'],
    ['with more than 4,000 characters', { rule: `enter: close > ${'1'.repeat(4000)}` }, {}, 'at most 4,000 characters'],
    ['that looks at a model which is not there', { rule: 'enter: p_up > 0.5 time: 5' }, {}, 'trained'],
  ])('%s is refused', async (_name, parameters, changes, words) => {
    const { status, error } = await create(parameters, changes)
    expect([400, 422]).toContain(status)
    expect(error).toContain(words)
  })
})
