import { z } from 'zod'
import { Network } from './accounts.ts'
import { tradingEndpoint } from './endpoint.ts'
import { VenueName } from './market.ts'

/** What may be known of a key that is kept. The key itself is never given out. */
export const KeptKey = z.object({
  venue: VenueName,
  network: Network,
  /** The last four characters of the API key. */
  lastFour: z.string(),
  savedAt: z.number(),
  /** Whether it can still be read with the SECRET_KEY of this installation. */
  readable: z.boolean(),
})
export type KeptKey = z.infer<typeof KeptKey>

const Secret = (what: string) => z.string(`${what} is needed`).trim().min(5, `${what} is too short`).max(10_000)

export const ExchangeKeys = z.object({
  apiKey: Secret('apiKey'),
  secret: Secret('secret'),
  /** Of exchanges that want a passphrase besides. */
  password: z.string().min(1).max(1_000).optional(),
})
export type ExchangeKeys = z.infer<typeof ExchangeKeys>

export const putKeys = tradingEndpoint({
  method: 'POST',
  path: '/api/accounts/keys',
  summary:
    "Keep the caller's API key of the exchange, in place of the one before. It is tried at the exchange first, on the network that TESTNET chooses, and kept encrypted.",
  access: 'admin',
  body: ExchangeKeys,
  reply: KeptKey,
  errors: ['unprocessable', 'venue_unreachable', 'venue_rate_limited', 'venue_auth_failed'],
})

export const keptKeys = tradingEndpoint({
  method: 'GET',
  path: '/api/accounts/keys',
  summary: "What is kept of the caller's API keys of the exchange: last four characters, network and time.",
  access: 'admin',
  reply: z.array(KeptKey),
})

export const deleteKeys = tradingEndpoint({
  method: 'DELETE',
  path: '/api/accounts/keys',
  summary:
    "Forget the caller's API key of the exchange on the network in use. Orders that are open there stay, and are not followed any more.",
  access: 'admin',
  reply: z.object({ unsettledOrders: z.number().int() }),
  errors: ['not_found'],
})
