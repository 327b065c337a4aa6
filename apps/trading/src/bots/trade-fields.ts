import type { BotTrade } from '@shapecast/contracts/bot-trading'

type TradeFields = Omit<BotTrade, 'id'>
const PLACE = ['symbol', 'side', 'entryTime', 'exitTime', 'entryPrice', 'exitPrice', 'quantity'] as const
const FIELDS: readonly (keyof TradeFields)[] = [...PLACE, 'netPnL', 'fees', 'funding', 'exitReason']

/** A trade as it is stored and shown, without what else its object carries. */
export const tradeFields = (trade: TradeFields): TradeFields =>
  Object.fromEntries(FIELDS.map((field) => [field, trade[field]])) as unknown as TradeFields
