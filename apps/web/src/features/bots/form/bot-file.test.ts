import { BotDraft } from '@shapecast/contracts/bots'
import { describe, expect, it } from 'vitest'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { draftOf, formOf } from './bot-body.ts'
import { copyOf, formOfRule, readBotFile } from './bot-file.ts'

const bot = sampleBot({
  marketType: 'spot',
  tradingPairs: ['BTCUSDT'],
  parameters: {
    policy: 'rule',
    rule: 'enter: rsi(14) < 30',
    timeframe: '4h',
    sizing: { kind: 'quote_amount', quote: 50 },
  },
})
const fileOf = (change: object) => readBotFile(JSON.stringify({ ...draftOf(formOf(bot)), ...change }))
const formIn = (change: object) => {
  const read = fileOf(change)
  if (!('form' in read)) throw new Error(read.refusal)
  return read.form
}

describe('a bot as a file', () => {
  it('gives the same bot again', () => {
    expect(BotDraft.parse(draftOf(formIn({})))).toEqual(BotDraft.parse(draftOf(formOf(bot))))
  })

  it('fills in what is left out as the call does', () => {
    const read = readBotFile('{"name":"Small"}')
    expect(read).toMatchObject({
      form: { name: 'Small', initialBalance: 10, maxDrawdown: 10, tradingPairs: ['BTCUSDT'] },
    })
  })

  it('leaves figures to the form that it can say is wrong', () => {
    expect(formIn({ initialBalance: 5, maxDrawdown: 'ten' })).toMatchObject({ initialBalance: 5, maxDrawdown: null })
  })

  it('never fills in real money', () => {
    expect(formIn({ isVirtual: false }).isVirtual).toBe(true)
    expect(copyOf(sampleBot({ isVirtual: false }), []).isVirtual).toBe(true)
  })

  it.each([
    ['no JSON', 'name: Trend', 'It cannot be read: choose a file that ‘Save as file’ in the settings of a bot wrote.'],
    ['a list', '[]', 'This file has no settings of a bot: The request must be an object.'],
    ['an unknown choice', '{"marketType":"margin"}', 'marketType must be one of spot, futures.'],
    ['a wrong parameter', '{"parameters":{"openaiCallsADay":0}}', 'parameters.openaiCallsADay must be at least 1.'],
  ])('says why it takes nothing of %s', (_, content, refusal) => {
    expect(readBotFile(content)).toEqual({ refusal })
  })

  it('names what it does not know', () => {
    expect(fileOf({ maxDrowdown: 5, format: 2 })).toEqual({
      refusal: 'It has maxDrowdown, format, which no bot here has: another version may have saved it.',
    })
  })
})

describe('another bot like one', () => {
  it('has a name of its own', () => {
    expect(copyOf(sampleBot(), ['Northwind']).name).toBe('Northwind copy')
    expect(copyOf(sampleBot(), ['northwind COPY', 'Northwind copy 2']).name).toBe('Northwind copy 3')
  })

  it('says nothing of a stored rule, which may be gone, and keeps the text; a bot made from the editor names it', () => {
    const ruleOrigin = { id: '01890000-0000-7000-8000-00000000000a', version: 3, name: 'Cross' }
    const rule = 'enter: close > sma(20) time: 5'
    const bot = sampleBot({ parameters: { policy: 'rule', rule, ruleOrigin } })
    expect(draftOf(copyOf(bot, [])).parameters).toMatchObject({ rule, ruleOrigin: undefined })
    expect(draftOf(formOf(bot)).parameters).toMatchObject({ rule, ruleOrigin })
    const made = formOfRule({
      name: 'A',
      rule,
      ruleOrigin,
      symbol: 'BTCUSDT',
      timeframe: '1h',
      sizing: { kind: 'percent_of_equity', pct: 100 },
      marketType: 'spot',
      leverage: 1,
      initialBalance: 1000,
      version: '',
    })
    expect(draftOf(made).parameters).toMatchObject({ policy: 'rule', rule, ruleOrigin })
  })

  it('fits in 60 characters', () => {
    expect(copyOf(sampleBot({ name: 'x'.repeat(60) }), []).name).toHaveLength(55)
  })
})
