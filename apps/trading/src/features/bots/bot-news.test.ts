import { describe, expect, it } from 'vitest'
import { failureNews, newsOf } from './bot-news.ts'
import type { PairTrade } from './decide-bot.ts'
import type { BotChange } from './runtime-store.ts'

const bot = { id: 'b1', userId: 'u1', name: 'Tern', isVirtual: true } as BotChange['bot']
const trade = {
  symbol: 'BTCUSDT',
  side: 'long',
  quantity: 0.01,
  exitPrice: 64_436.3,
  netPnL: -14.38,
  exitReason: 'stop_loss',
} as PairTrade
const change = (over: Partial<BotChange>) => ({ bot, trades: [], status: null, ...over }) as unknown as BotChange

describe('what the owner of a bot is told', () => {
  it('is each closed trade, with its money said to be virtual', () => {
    expect(newsOf(change({ trades: [trade] }))).toEqual([
      {
        userId: 'u1',
        kind: 'fill',
        title: 'Tern: long BTCUSDT closed, −14.38 USDT',
        text: '0.01 at 64436.3 at its stop loss (virtual).',
        link: '/trading?bot=b1',
      },
    ])
  })

  it('is that it paused by itself, and why; nothing where nothing happened', () => {
    const told = newsOf(change({ status: { status: 'paused', reason: 'Its drawdown limit of 10% was reached.' } }))
    expect(told).toMatchObject([{ kind: 'halt', text: 'Its drawdown limit of 10% was reached.' }])
    expect(newsOf(change({}))).toEqual([])
  })

  it('is that it cannot go on', () => {
    expect(failureNews(bot, 'Its books do not agree.')).toMatchObject({ kind: 'error', userId: 'u1' })
  })
})
