import { z } from 'zod'
import { Network, REAL_ERRORS } from './accounts.ts'
import { tradingEndpoint } from './endpoint.ts'
import { VenueName } from './market.ts'
import { epochMs, quote } from './units.ts'

/** What real orders of a person may be worth where nothing else is set, in the account's currency. */
export const DEFAULT_MAX_ORDER_NOTIONAL = 100
export const DEFAULT_MAX_DAY_NOTIONAL = 500

/**
 * The most that real orders of a person on one network may be worth. Purchases count, and sales of coins that no real
 * order here has bought; what was bought here may always be sold, and stop-losses always stand.
 */
export const TradingLimits = z.object({
  network: Network,
  currency: z.string(),
  /** Of one order, at the price when it is placed; 0 forbids them. */
  maxOrderNotional: quote(),
  /** Of all orders of 24 hours; 0 forbids them. */
  maxDayNotional: quote(),
  /** Of the last 24 hours: orders that are open count whole, those that have ended by what was filled. */
  usedNotional: quote(),
})
export type TradingLimits = z.infer<typeof TradingLimits>

/** What may be known of a key that is kept. The key itself is never given out. */
export const KeptKey = z.object({
  venue: VenueName,
  network: Network,
  /** The last four characters of the API key. */
  lastFour: z.string(),
  savedAt: epochMs(),
  /** Whether it can still be read with the SECRET_KEY of this installation. */
  readable: z.boolean(),
  limits: TradingLimits,
})
export type KeptKey = z.infer<typeof KeptKey>

const Secret = (what: string) => z.string(`${what} is needed`).trim().min(5, `${what} is too short`).max(10_000)

export const ExchangeKeys = z.object({
  apiKey: Secret('The API key'),
  secret: Secret('The secret'),
  /** Of exchanges that want a passphrase too. */
  password: z.string().min(1).max(1_000).optional(),
})
export type ExchangeKeys = z.infer<typeof ExchangeKeys>

export const keptKeys = tradingEndpoint('GET /api/accounts/keys', {
  summary: "What is kept of the caller's API keys of the exchange: last four characters, network and time.",
  reply: z.array(KeptKey),
})

export const putKeys = tradingEndpoint('POST /api/accounts/keys', {
  summary:
    "Keep the caller's API key of the exchange, in place of the one before. It is tried at the exchange first, on the network that TESTNET chooses, and kept encrypted.",
  access: 'admin',
  touches: [keptKeys],
  proof: 'always',
  body: ExchangeKeys,
  reply: KeptKey,
  errors: REAL_ERRORS,
})

export const deleteKeys = tradingEndpoint('DELETE /api/accounts/keys', {
  summary:
    "Forget the caller's API key of the exchange on the network in use. Orders that are open there stay, and are not followed any more. Also for somebody who is no admin any more.",
  touches: [keptKeys],
  proof: 'always',
  reply: z.object({ unsettledOrders: z.number().int() }),
  errors: ['not_found'],
})

export const tradingLimits = tradingEndpoint('GET /api/accounts/limits', {
  summary: "The most that the caller's real orders may be worth on the network in use, each and in 24 hours.",
  access: 'admin',
  reply: TradingLimits,
})

const Most = z.number('a limit is a number, 0 or more').min(0, 'a limit is 0 or more').max(1e9).optional()

export const changeTradingLimits = tradingEndpoint('PATCH /api/accounts/limits', {
  summary:
    'Change these limits, from the next order on. 0 forbids purchases for real money. To raise one takes fresh proof of who calls.',
  access: 'admin',
  touches: [tradingLimits],
  proof: 'sometimes',
  body: z
    .object({ maxOrderNotional: Most, maxDayNotional: Most })
    .refine(({ maxOrderNotional, maxDayNotional }) => maxOrderNotional !== undefined || maxDayNotional !== undefined, {
      path: ['maxOrderNotional'],
      message: 'Give maxOrderNotional, maxDayNotional or both',
    }),
  reply: TradingLimits,
})
