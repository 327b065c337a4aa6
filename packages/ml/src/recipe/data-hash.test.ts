import { candlesFromRows } from '@shapecast/engine/candles'
import { expect, it } from 'vitest'
import { candlesHash } from './data-hash.ts'

it('the data hash is the SHA-256 of the six columns one after the other, as little-endian doubles', () => {
  const candles = candlesFromRows([
    [1000, 1, 3, 0.5, 2, 10],
    [2000, 2, 4, 1.5, 3, 20],
  ])
  // Python: sha256(b''.join(struct.pack('<2d', *column) for column in columns))
  expect(candlesHash(candles)).toBe('b435790e4228c928b1ecdd006a0cabd5ac3f012d99e3f971e83d89760b6167da')
})
