import { SymbolId, VenueName } from '@shapecast/contracts/market'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { jobKind } from '@shapecast/platform/queue'
import { z } from 'zod'

/** A closed candle of a series. */
export const Close = z.object({
  venue: VenueName,
  symbol: SymbolId,
  timeframe: Timeframe,
  /** Open time, ms. */
  candleTs: z.number().int(),
})
export type Close = z.infer<typeof Close>

export const closeKey = ({ venue, symbol, timeframe, candleTs }: Close): string =>
  `${venue} ${symbol} ${timeframe} ${candleTs}`

/** What there is to do at the close of a candle: one job a candle, however often it is reported. */
export const CLOSE = jobKind({ name: 'candle-closes', payload: Close, exclusive: true, keptForSeconds: 60 * 60 })
