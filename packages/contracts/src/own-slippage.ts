import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { bps } from './units.ts'

/** Own fills from which on slippage is estimated. */
export const FILLS_NEEDED = 30

export const ownSlippage = tradingEndpoint('GET /api/slippage', {
  summary:
    "What an order of a size is expected to slip against the close of its decision, learnt from the fills of the caller's bots with real money.",
  query: z.object({
    symbol: SymbolId,
    /** Quote. */
    notional: z.coerce.number().positive(),
  }),
  reply: z.object({
    /** Orders that it rests on: the newest 1,000 at most whose day before is stored as candles. */
    fills: z.number().int(),
    /** Null below 30 fills, and where the last day of the symbol is not stored. */
    estimate: z
      .object({
        expectedBps: bps(),
        /** 95 %, of the mean of such orders. */
        intervalBps: z.tuple([bps(), bps()]),
        /** The order is harder than every fill that it is judged by. */
        isBeyondSeen: z.boolean(),
      })
      .nullable(),
  }),
})
