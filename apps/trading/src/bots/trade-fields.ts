import type { BotTrade } from '@shapecast/contracts/bot-trading'

/** A trade as it is stored and shown, without what else its object carries. */
export const tradeFields = ({
  symbol,
  side,
  entryTime,
  exitTime,
  entryPrice,
  exitPrice,
  quantity,
  netPnL,
  fees,
  funding,
  exitReason,
}: Omit<BotTrade, 'id'>): Omit<BotTrade, 'id'> => ({
  symbol,
  side,
  entryTime,
  exitTime,
  entryPrice,
  exitPrice,
  quantity,
  netPnL,
  fees,
  funding,
  exitReason,
})
