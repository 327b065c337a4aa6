import { z } from 'zod'
import { REAL_ERRORS } from './accounts.ts'
import { botDecisions } from './bot-decisions.ts'
import { botRebalances, rebalancePreview } from './bot-rebalances.ts'
import { botResults } from './bot-results.ts'
import { botBalance, botEquity, botOrders, botParity, botTrades } from './bot-trading.ts'
import { botWeights } from './bot-weights.ts'
import { Bot, BotDraft, BotPatch, bot, bots } from './bots.ts'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { KillReason, REAL_MONEY_WORDS, RealMoneyWords, RealTradingState, realTradingState } from './real-bots.ts'

/** What is shown of bots and of their money. */
const ALL_OF_BOTS = [
  bots,
  bot,
  botBalance,
  botTrades,
  botOrders,
  botEquity,
  botResults,
  botParity,
  botDecisions,
  realTradingState,
] as const

export const createBot = tradingEndpoint('POST /api/bots', {
  summary:
    'Create a bot with a balance of its own. Only an admin may create one that trades real money: a bot of anybody else is virtual, whatever isVirtual says. With the header Idempotency-Key the same request again answers with the same bot. Refused where the owner has a bot of that name, and where it could not be started: a pair without a trained model, or OpenAI without a key.',
  touches: [bots],
  body: BotDraft,
  takesKey: true,
  reply: z.object({ botId: z.uuid() }),
  errors: ['unprocessable', 'too_many_requests', 'conflict', 'model_not_trained', 'unknown_symbol'],
})

export const patchBot = tradingEndpoint('PATCH /api/bots/:id', {
  summary:
    'Change a bot. Its owner or an admin; risk settings only while it is stopped. Of one with real money, what is more than a name or a lower limit takes fresh proof of who calls.',
  touches: ALL_OF_BOTS,
  proof: 'sometimes',
  body: BotPatch,
  reply: Bot,
  errors: ['not_found', 'conflict', 'unprocessable'],
})

export const deleteBot = tradingEndpoint('DELETE /api/bots/:id', {
  summary: 'Delete a bot. Its owner or an admin.',
  touches: [bots],
  errors: ['not_found', 'conflict'],
})

export const startBot = tradingEndpoint('POST /api/bots/:id/start', {
  summary:
    'Start a bot that is not active. Its first decision is at the next candle close. Its owner or an admin; one with real money only its owner, an admin, with the words "real money" and, unless the policy says otherwise, fresh proof of who calls.',
  touches: ALL_OF_BOTS,
  proof: 'sometimes',
  body: z.object({ confirm: RealMoneyWords.optional() }).optional(),
  reply: Bot,
  errors: ['not_found', 'conflict', 'model_not_trained', 'unknown_symbol', ...REAL_ERRORS],
})

export const pauseBot = tradingEndpoint('POST /api/bots/:id/pause', {
  summary: 'Pause an active bot: it keeps its position and its stops, and opens nothing. Its owner or an admin.',
  touches: ALL_OF_BOTS,
  reply: Bot,
  errors: ['not_found', 'conflict'],
})

export const stopBot = tradingEndpoint('POST /api/bots/:id/stop', {
  summary:
    'Stop a bot. With position "sell", or without one, what it holds is closed at the next price; with real money that needs the words "real money". With "keep" it keeps that: of a virtual bot no stop-loss and no take profit acts on it, of one with real money those at the exchange stay. A stopped bot that kept its position is told to sell it by the same call. Its owner or an admin.',
  touches: ALL_OF_BOTS,
  body: z.object({ position: z.enum(['sell', 'keep']).default('sell'), confirm: RealMoneyWords.optional() }).optional(),
  reply: Bot,
  errors: ['not_found', 'conflict', 'unprocessable'],
})

export const closePosition = tradingEndpoint('POST /api/bots/:id/close', {
  summary:
    'Close the position of a bot in one pair at the next price; the bot goes on as it is. What its last decision asked for in that pair is taken back, and its next entry follows its rules. Told twice it is closed once, and the same Idempotency-Key never closes a later position. Also of a stopped bot that kept its position. With real money it takes the words "real money". Its owner or an admin.',
  touches: ALL_OF_BOTS,
  takesKey: true,
  body: z.object({ symbol: SymbolId, confirm: RealMoneyWords.optional() }),
  reply: Bot,
  errors: ['not_found', 'conflict', 'unprocessable'],
})

export const rebalanceBot = tradingEndpoint('POST /api/bots/:id/rebalance', {
  summary:
    'Bring every pair of an active bot to its last target at the next price, whatever its band; the bot goes on. Told twice it is done once, and the same Idempotency-Key never rebalances again. Refused while nothing is to be done, a position is being closed or an order is under way. With real money it takes the words "real money" and, unless the policy says otherwise, fresh proof of who calls. Its owner or an admin.',
  touches: [...ALL_OF_BOTS, botWeights, botRebalances, rebalancePreview],
  proof: 'sometimes',
  takesKey: true,
  body: z.object({ confirm: RealMoneyWords.optional() }).optional(),
  reply: Bot,
  errors: ['not_found', 'conflict', 'unprocessable'],
})

export const takeModel = tradingEndpoint('POST /api/bots/:id/take-model', {
  summary:
    'Let a bot trade on the newer training of its model that it is offered: at once where it holds nothing, else at its next decision without a position, or with when=now at the next decision. Its owner or an admin; of one with real money with fresh proof of who calls.',
  touches: ALL_OF_BOTS,
  proof: 'sometimes',
  body: z.object({ when: z.enum(['flat', 'now']).default('flat') }).optional(),
  reply: Bot,
  errors: ['not_found', 'conflict'],
})

export const resetBot = tradingEndpoint('POST /api/bots/:id/reset', {
  summary: 'Put a stopped virtual bot back to its initial balance; its trades and decisions are deleted.',
  touches: ALL_OF_BOTS,
  reply: Bot,
  errors: ['not_found', 'conflict', 'unprocessable'],
})

export const killBots = tradingEndpoint('POST /api/bots/kill', {
  summary:
    'The kill switch: stops every bot with real money, cancels all of their open orders, stop-losses too, and keeps real trading off until it is allowed again. With close: true their positions are closed at the market; that takes the words "real money" and fresh proof of who calls. Asked again, it does what is left to do.',
  access: 'admin',
  touches: ALL_OF_BOTS,
  proof: 'sometimes',
  body: z
    .object({ close: z.boolean().default(false), confirm: RealMoneyWords.optional(), reason: KillReason.optional() })
    .refine(({ close, confirm }) => !close || confirm !== undefined, {
      path: ['confirm'],
      message: `Write the words "${REAL_MONEY_WORDS}" to sell what the bots hold`,
    })
    .optional(),
  reply: RealTradingState,
})

export const allowRealTrading = tradingEndpoint('DELETE /api/bots/kill', {
  summary: 'Allow real trading again after the kill switch. The bots stay stopped; each is started by itself.',
  access: 'admin',
  touches: ALL_OF_BOTS,
  proof: 'always',
  reply: RealTradingState,
  errors: ['conflict'],
})
