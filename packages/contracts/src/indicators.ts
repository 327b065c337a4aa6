import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { Timeframe } from './timeframes.ts'

export const Indicators = z.object({
  /** Wilder's relative strength index of 14 closes, 0 to 100. */
  rsi: z.number(),
  /** Distance of the close from the mean of 20 closes, in standard deviations. */
  zScore: z.number(),
  /** Williams' Ultimate Oscillator of 7, 14 and 28 candles, 0 to 100. */
  ultimateOscillator: z.number(),
  ema: z.object({ ema20: z.number() }),
  /** Mean of 20 closes and two standard deviations around it. */
  bollinger: z.object({ upper: z.number(), middle: z.number(), lower: z.number() }),
})
export type Indicators = z.infer<typeof Indicators>

export const indicators = tradingEndpoint('POST /api/ml/indicators', {
  summary: 'The indicators at the last closed candle, computed over the newest `limit` candles.',
  touches: [],
  body: z.object({
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    limit: z.number().int().min(1).max(10_000).default(300),
  }),
  reply: Indicators,
  errors: ['unknown_symbol', 'too_few_candles', 'venue_unreachable'],
})
