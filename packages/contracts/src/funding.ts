import { z } from 'zod'
import { BACKTEST_DEFAULTS } from './backtest-request.ts'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId, VenueName } from './market.ts'
import { epochMs } from './units.ts'

/**
 * Of a run: the share (0–1) of the time in which something was held whose rates were not known and assumed; null where nothing
 * was charged, on spot and where no rates are stored.
 */
export const FundingAssumed = z.number().nullable()

/** Times in ms: after `from`, up to and with `to`. */
const Stretch = z.object({ from: epochMs(), to: epochMs() })

/** What is stored of the funding rates of a perpetual future. */
export const Funding = z.object({
  venue: VenueName,
  symbol: SymbolId,
  /** Settlements whose rate is known. */
  rates: z.number().int(),
  /** Stretches that have every rate, oldest first; between them lie gaps. */
  known: z.array(Stretch),
})
export type Funding = z.infer<typeof Funding>

export const fundingList = tradingEndpoint('GET /api/funding', {
  summary: 'The stored funding rates of this venue, by symbol: how many, and the stretches that have all of them.',
  reply: z.array(Funding),
})

export const fundingCarry = tradingEndpoint('GET /api/funding/:symbol/carry', {
  summary:
    'What holding a coin and selling as much of its future would have come to on the stored rates, by calendar year, after fees and slippage; prices apart, and no forecast.',
  params: z.object({ symbol: SymbolId }),
  query: z.object({
    feeRate: z.coerce.number().min(0).max(0.1).default(BACKTEST_DEFAULTS.feeRate),
    slippageBps: z.coerce.number().min(0).max(1000).default(BACKTEST_DEFAULTS.slippageBps),
  }),
  reply: z.array(
    z.object({
      year: z.number().int(),
      /** Share of the year whose rates are known, and of the settlements at which the carry paid: 0–1. */
      known: z.number(),
      settlements: z.number().int(),
      paid: z.number(),
      /** All rates of the year, of the notional. */
      rates: z.number(),
      /** After one entry and one exit, of the capital: coin and margin, each as much as the notional. */
      net: z.number(),
    }),
  ),
  errors: ['not_found'],
})

const Taken = z.object({
  /** Rates that were read, those that were stored already included. */
  read: z.number().int(),
  funding: Funding,
})

export const importFunding = tradingEndpoint('POST /api/funding/import', {
  summary:
    "Import a file of funding rates (Binance's archive, or columns time and rate; CSV, .gz or .zip): all of it, or nothing.",
  access: 'manager',
  touches: [fundingList],
  query: z.object({ symbol: SymbolId, venue: VenueName.optional() }),
  bodyKind: 'multipart',
  reply: Taken,
  errors: ['payload_too_large'],
})

export const downloadFunding = tradingEndpoint('POST /api/funding/download', {
  summary: 'Fetch the funding rates of a perpetual future from the exchange that is the market, from a time on.',
  access: 'manager',
  touches: [fundingList],
  body: z.object({ symbol: SymbolId, from: z.number('must be a time in ms').int().min(0) }),
  reply: Taken,
  errors: ['unknown_symbol', 'unprocessable', 'venue_unreachable', 'venue_rate_limited'],
})
