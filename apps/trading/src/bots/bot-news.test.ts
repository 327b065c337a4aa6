import { createPortfolio } from '@shapecast/engine/portfolio'
import { describe, expect, it } from 'vitest'
import { activitiesOf, newsOf as newsSince, statusNews } from './bot-news.ts'
import { statusBy } from './bot-status.ts'
import type { PairTrade } from './decide-bot.ts'
import type { BotChange } from './runtime-store.ts'

const bot = { id: 'b1', userId: 'u1', name: 'Tern', isVirtual: true, visibility: 'private' } as BotChange['bot']
const trade = {
  symbol: 'BTCUSDT',
  side: 'long',
  quantity: 0.01,
  exitPrice: 64_436.3,
  netPnL: -14.38,
  exitReason: 'stop_loss',
} as PairTrade
const FLAT = createPortfolio(1000, ['BTCUSDT'])
const change = (over: Partial<BotChange>) =>
  ({ bot, portfolio: FLAT, trades: [], pins: [], status: null, ...over }) as unknown as BotChange
const newsOf = (made: BotChange) => newsSince(made, FLAT)

/** A portfolio that holds `size` BTC, bought or sold at 3,915.94 in the candle that opened at `entryTime`. */
const holding = (size: number, entryTime = 1, stopLossPrice = 0) => {
  const portfolio = createPortfolio(1000, ['BTCUSDT'])
  Object.assign(portfolio.pairs[0]!.account, {
    side: Math.sign(size),
    size,
    entryPrice: 3915.94,
    entryTime,
    stopLossPrice,
  })
  return portfolio
}

describe('what the owner of a bot is told', () => {
  it('is each closed trade, with its money said to be virtual', () => {
    expect(newsOf(change({ trades: [trade] }))).toEqual([
      {
        userId: 'u1',
        kind: 'fill',
        title: 'Tern closed a long on BTCUSDT: −14.38 USDT',
        text: 'Sold 0.01 BTC at 64,436.30 at its stop loss (virtual).',
        link: '/trading?bot=b1',
        bot: { id: 'b1', name: 'Tern', isVirtual: true, netPnL: -14.38 },
      },
    ])
  })

  it('has amounts as people write them, whatever binary fractions make of them', () => {
    const odd = {
      ...trade,
      quantity: 0.020300000000000002,
      exitPrice: 47487.534355,
      netPnL: 1061,
      exitReason: 'stopped',
    } as const
    const [news] = newsOf(change({ trades: [odd, { ...odd, symbol: 'PEPEUSDT', exitPrice: 0.0000123456 }] }))
    expect(news).toMatchObject({
      title: 'Tern closed a long on BTCUSDT: +1,061.00 USDT',
      text: 'Sold 0.0203 BTC at 47,487.53 because the bot was stopped (virtual).',
    })
    const [, small] = newsOf(change({ trades: [odd, { ...odd, symbol: 'PEPEUSDT', exitPrice: 0.0000123456 }] }))
    expect(small!.text).toContain('PEPE at 0.0000123456 ')
  })

  it('is each position that it opened, with its stop where it has one', () => {
    const opened = newsSince(change({ portfolio: holding(-0.3, 1, 4072.58) }), FLAT)
    expect(opened).toMatchObject([
      {
        kind: 'fill',
        title: 'Tern opened a short on BTCUSDT',
        text: 'Sold short 0.3 BTC at 3,915.94, stop 4,072.58 (virtual).',
        bot: { name: 'Tern', netPnL: null },
      },
    ])
    expect(newsSince(change({ portfolio: holding(0.3, 1, Number.MAX_VALUE) }), FLAT)).toMatchObject([
      { text: 'Bought 0.3 BTC at 3,915.94 (virtual).' },
    ])
  })

  it('is nothing of a position that it goes on to hold, and both sides of one that it reversed', () => {
    expect(newsSince(change({ portfolio: holding(0.4) }), holding(0.3))).toEqual([])
    const reversed = newsSince(change({ portfolio: holding(-0.3, 2), trades: [trade] }), holding(0.3))
    expect(reversed.map(({ title }) => title)).toEqual([
      'Tern closed a long on BTCUSDT: −14.38 USDT',
      'Tern opened a short on BTCUSDT',
    ])
  })

  it('is that it paused by itself, and why; nothing where nothing happened', () => {
    const told = newsOf(change({ status: statusBy('halt', 'Its drawdown limit of 10% was reached.') }))
    expect(told).toMatchObject([{ kind: 'halt', text: 'Its drawdown limit of 10% was reached.' }])
    expect(newsOf(change({}))).toEqual([])
  })

  it('is that it cannot go on', () => {
    const news = statusNews(bot, statusBy('failure', 'Its ledger does not agree.'))
    expect(news).toMatchObject([{ kind: 'error', userId: 'u1' }])
  })
})

describe('what the activity feed shows of a bot that trades', () => {
  const shown = (over: Partial<BotChange>) => activitiesOf(change(over))

  it('is what it closed, without amounts, and whose it is', () => {
    expect(shown({ trades: [trade] })).toEqual([
      {
        type: 'bot',
        action: 'bot.traded',
        actorId: null,
        subject: { id: 'b1', name: 'Tern' },
        owner: { userId: 'u1', isPublic: false },
        detail: 'long BTCUSDT at its stop loss',
      },
    ])
  })

  it('is one line a step, and no adjustment of a size', () => {
    const adjusted = { ...trade, exitReason: 'rebalance' } as PairTrade
    expect(shown({ trades: [adjusted] })).toEqual([])
    expect(shown({ trades: [adjusted, trade, trade, trade] }).map(({ detail }) => detail)).toEqual([
      'long BTCUSDT at its stop loss and 2 more',
    ])
  })

  it('is that it paused by itself', () => {
    const halted = shown({ status: statusBy('halt', 'Its drawdown limit of 10% was reached.') })
    expect(halted.map(({ action }) => action)).toEqual(['bot.halted'])
  })
})
