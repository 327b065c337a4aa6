import { describe, expect, it } from 'vitest'
import { marketLabel } from './market-label.ts'

describe('what the prices are called', () => {
  it('never lets simulated, replayed or testnet prices pass for those of an exchange', () => {
    expect(marketLabel({ market: 'simulated', venue: 'simulated', testnet: true })).toMatchObject({
      text: 'Simulated market',
      caution: true,
    })
    expect(marketLabel({ market: 'replay', venue: 'replay', testnet: true })).toMatchObject({
      text: 'Replay',
      caution: true,
    })
    expect(marketLabel({ market: 'live', venue: 'binance', testnet: true })).toMatchObject({
      text: 'Binance testnet',
      caution: true,
    })
    expect(marketLabel({ market: 'live', venue: 'binance', testnet: false })).toMatchObject({
      text: 'Binance mainnet',
      caution: false,
    })
  })
})
