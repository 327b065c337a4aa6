import { expect, it } from 'vitest'
import { elsewhere } from './market-label.ts'

it('says on which market a training or a run was, where that market does not run', () => {
  expect(elsewhere({ venue: 'replay' }, 'replay')).toBeNull()
  expect(elsewhere({ venue: 'replay' }, undefined)).toBeNull()
  expect(['simulated', 'replay', 'binance'].map((venue) => elsewhere({ venue }, 'bybit'))).toEqual([
    'on the simulated market',
    'on a replay',
    'on Binance',
  ])
})
