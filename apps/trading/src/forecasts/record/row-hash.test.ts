import { expect, it } from 'vitest'
import { GENESIS, rowHash, type Sealable } from './row-hash.ts'

const ROW: Sealable = {
  seq: 5,
  venue: 'binance',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  version: 'v3',
  artifactId: '00000000-0000-4000-8000-000000000001',
  artifactHash: 'ab12',
  candleTs: 1_735_689_600_000,
  madeAtMs: 1_735_693_201_500,
  marketTimeMs: 1_735_693_201_000,
  horizon: 1,
  pUp: 0.5625,
  signal: 'BUY',
  confidence: 0.5625,
  price: 93_000.5,
  lstm: 93_010.25,
  transformer: 92_990,
  stopLoss: 92_100,
  edgeBps: -3.5,
  fan: [92_000, 92_800, 93_000, 93_200, 94_000],
  reasoning: 'BUY: P(up) 56.2 %',
  climatology: 0.5,
  reversalUp: true,
  previousHash: GENESIS,
}

it('the hash of a sealed row is the SHA-256 of its values as JSON, the same as for the first row ever sealed', () =>
  // printf '%s' '[5,"binance","BTCUSDT",…,0.5,true,"000…"]' | sha256sum
  expect(rowHash(ROW)).toBe('7318ce5f3210fd1464dd44a0abefde5f5ce4aa9bb0046c14efd4eac727554efb'))

it('vouches for every value: each that is another makes another hash', () => {
  const hashes = Object.keys(ROW).map((key) => rowHash({ ...ROW, [key]: 'another' }))
  expect(new Set([rowHash(ROW), ...hashes]).size).toBe(Object.keys(ROW).length + 1)
})
