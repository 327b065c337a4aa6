import { expect, it } from 'vitest'
import { exitWords, heldWords, tradesCsv } from '#entities/bots/trade-words.ts'

const HOUR = 3_600_000
const trade = {
  side: 'long' as const,
  entryTime: 0,
  exitTime: 59 * HOUR,
  entryPrice: 100,
  exitPrice: 101.5,
  quantity: 2,
  netPnL: 2.88,
  fees: 0.12,
  funding: 0,
  exitReason: 'stop_loss' as const,
}

it('says why a trade ended and how long it was held', () => {
  expect(exitWords(trade)).toBe('Stop loss')
  expect([heldWords(trade), heldWords({ entryTime: 0, exitTime: 9 * HOUR })]).toEqual(['2 d 11 h', '9 h'])
})

it('writes trades for a spreadsheet, with their pair where there are several', () => {
  expect(tradesCsv([trade])).toBe(
    'side,entry_time,exit_time,entry_price,exit_price,quantity,fees,funding,net_pnl,exit_reason\n' +
      'long,1970-01-01T00:00:00.000Z,1970-01-03T11:00:00.000Z,100,101.5,2,0.12,0,2.88,stop_loss\n',
  )
  expect(tradesCsv([{ ...trade, symbol: 'ETHUSDT' }])).toMatch(/exit_reason,pair\n.*stop_loss,ETHUSDT\n$/)
})
