import type { Trade } from '@shapecast/contracts/backtest-results'
import { expect, it } from 'vitest'
import { lastTrades, sameYear } from './trades-card.tsx'

const trade = (entryTime: number, exitTime = entryTime): Trade => ({
  side: 'long',
  entryTime,
  exitTime,
  entryPrice: 1,
  exitPrice: 1,
  quantity: 1,
  netPnL: 0,
  fees: 0,
  funding: 0,
  exitReason: 'signal',
})

it('shows the last 50 of 66 trades, newest first', () => {
  const shown = lastTrades(Array.from({ length: 66 }, (_, i) => trade(i)))
  expect(shown).toHaveLength(50)
  expect(shown[0]!.entryTime).toBe(65)
  expect(shown.at(-1)!.entryTime).toBe(16)
})

it('leaves the year out only where all times share it', () => {
  expect(sameYear([trade(Date.UTC(2024, 0, 1), Date.UTC(2024, 11, 31))])).toBe(true)
  expect(sameYear([trade(Date.UTC(2023, 11, 31), Date.UTC(2024, 0, 1))])).toBe(false)
})
