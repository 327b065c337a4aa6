import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { memoryVenue } from './memory-venue.ts'

/** Two coins, the same in every process. */
export const searchedVenue = () =>
  memoryVenue({
    'BTCUSDT 1h': generateCandles({ candles: 1400, seed: 4 }),
    'ETHUSDT 1h': generateCandles({ candles: 1400, seed: 5 }),
  })
