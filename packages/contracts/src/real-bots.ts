import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { epochMs, quote } from './units.ts'

/** What a person has to write to let a bot trade real money, or to sell what one holds. */
export const REAL_MONEY_WORDS = 'real money'
export const RealMoneyWords = z.literal(REAL_MONEY_WORDS, `Write the words "${REAL_MONEY_WORDS}" to confirm`)

const Quote = z.number().positive().max(1e9)

/** The most that one bot with real money may do, amounts in quote, on futures with leverage. What is left out is as here. */
export const RealBotLimits = z.object({
  /** Of one purchase, or entry on futures. What closes is never limited. */
  maxOrderNotional: Quote.default(100),
  /** Of all that it holds, at the price when it buys. */
  maxPositionNotional: Quote.default(200),
  /** At which it closes what it holds and pauses: lost since 00:00 UTC, open positions included. */
  maxDayLoss: Quote.default(20),
  /** Purchases, or entries, since 00:00 UTC. */
  maxDayOrders: z.number().int().min(1).max(10_000).default(20),
})
export type RealBotLimits = z.infer<typeof RealBotLimits>

/** The limits of a bot with these parameters. */
export const realBotLimitsOf = (parameters: { limits?: unknown } | null): RealBotLimits =>
  RealBotLimits.parse(parameters?.limits ?? {})

/** What all bots with real money of the installation may do together, on the network in use. */
export const InstallationLimits = z.object({
  currency: z.string(),
  /** Of all that they hold or have ordered, at what was paid for it; 0 forbids purchases. */
  maxBotsNotional: quote(),
  usedBotsNotional: quote(),
  /** Purchases in 60 s. Sales are never limited. */
  maxOrdersAMinute: z.number().int(),
})
export type InstallationLimits = z.infer<typeof InstallationLimits>

export const DEFAULT_MAX_BOTS_NOTIONAL = 1_000
export const DEFAULT_MAX_ORDERS_A_MINUTE = 10

export const realBotsLimits = tradingEndpoint('GET /api/accounts/limits/bots', {
  summary:
    'The most that all bots with real money may hold and order together. Beside them hold the limits of their owner and their own.',
  access: 'admin',
  reply: InstallationLimits,
})

export const changeRealBotsLimits = tradingEndpoint('PATCH /api/accounts/limits/bots', {
  summary: 'Change these limits, from the next order on. To raise one takes fresh proof of who calls.',
  access: 'admin',
  touches: [realBotsLimits],
  proof: 'sometimes',
  body: z
    .object({
      maxBotsNotional: z.number('a limit is a number, 0 or more').min(0, 'a limit is 0 or more').max(1e9).optional(),
      maxOrdersAMinute: z.number().int().min(1).max(1_000).optional(),
    })
    .refine(
      ({ maxBotsNotional, maxOrdersAMinute }) => maxBotsNotional !== undefined || maxOrdersAMinute !== undefined,
      { path: ['maxBotsNotional'], message: 'Give maxBotsNotional, maxOrdersAMinute or both' },
    ),
  reply: InstallationLimits,
})

/** Why a person used the kill switch, in their words. */
export const KillReason = z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters')

/** Whether bots may trade real money. */
export const RealTradingState = z.object({
  /** The kill switch was used: no bot with real money starts or buys until an admin allows it again. */
  killed: z.boolean(),
  /** When and by whom, as far as it was; else null. */
  killedAt: epochMs().nullable(),
  killedBy: z.uuid().nullable(),
  /** Why, if it was said. */
  killedReason: z.string().nullable(),
  /** Whether what the bots hold is being sold. */
  closing: z.boolean(),
  /** Bots with real money that trade, or still hold or close something. */
  activeBots: z.number().int(),
  /** Orders of theirs that may still be open at the exchange; a worker goes on until there are none. */
  openOrders: z.number().int(),
  /** What they hold, by bot and symbol; negative of a short. */
  positions: z.array(z.object({ botId: z.uuid(), botName: z.string(), symbol: SymbolId, quantity: z.number() })),
})
export type RealTradingState = z.infer<typeof RealTradingState>

export const realTradingState = tradingEndpoint('GET /api/bots/kill', {
  summary:
    'Whether the kill switch is on. Only admins see by whom and why, and how many bots, orders and positions are left; others are told 0 and none.',
  reply: RealTradingState,
})
