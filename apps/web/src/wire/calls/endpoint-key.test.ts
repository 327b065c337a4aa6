import { bot, bots } from '@shapecast/contracts/bots'
import { ohlcv } from '@shapecast/contracts/market'
import { hashKey } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { endpointKey } from './use-endpoint.ts'

describe('query keys', () => {
  it('differ by endpoint and by what is asked', () => {
    const id = '0190f3c2-6f3e-7a10-9d2b-0a1b2c3d4e5f'
    const asked = [
      endpointKey(bots, {}),
      endpointKey(bot, { params: { id } }),
      endpointKey(ohlcv, { params: { symbol: 'BTCUSDT' }, query: { timeframe: '1h' } }),
      endpointKey(ohlcv, { params: { symbol: 'BTCUSDT' }, query: { timeframe: '4h' } }),
    ].map((key) => hashKey(key))
    expect(new Set(asked).size).toBe(4)
  })

  it('without an input are the prefix of every reply of the endpoint', () => {
    const prefix = endpointKey(ohlcv)
    expect(endpointKey(ohlcv, { params: { symbol: 'BTCUSDT' } }).slice(0, prefix.length)).toEqual(prefix)
  })
})
