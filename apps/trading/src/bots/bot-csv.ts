import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import type { BotTrade } from '@shapecast/contracts/bot-trading'
import { type CsvColumns, isoTime } from '@shapecast/platform/http/csv-file'

export const TRADE_COLUMNS: CsvColumns<BotTrade> = {
  side: ({ side }) => side,
  entry_time: ({ entryTime }) => isoTime(entryTime),
  exit_time: ({ exitTime }) => isoTime(exitTime),
  entry_price: ({ entryPrice }) => entryPrice,
  exit_price: ({ exitPrice }) => exitPrice,
  quantity: ({ quantity }) => quantity,
  fees: ({ fees }) => fees,
  funding: ({ funding }) => funding,
  net_pnl: ({ netPnL }) => netPnL,
  exit_reason: ({ exitReason }) => exitReason,
  pair: ({ symbol }) => symbol,
}

const voteText = ({ version, signal, confidence, edgeBps }: BotDecision['votes'][number]): string =>
  `${version} ${signal} ${confidence.toFixed(3)}${edgeBps === null ? '' : ` ${edgeBps.toFixed(1)} bps`}`

/** Of decisions on candles of `stepMs`: `close` is when one closed. */
export const decisionColumns = (stepMs: number): CsvColumns<BotDecision> => ({
  close: ({ candleTs }) => isoTime(candleTs + stepMs),
  symbol: ({ symbol }) => symbol,
  signal: ({ signal }) => signal,
  action: ({ action }) => action,
  rule: ({ rule }) => rule,
  reason: ({ reason }) => reason,
  target: ({ target }) => target,
  votes: ({ votes }) => votes.map(voteText).join('; '),
  order: ({ orderId }) => orderId,
  decided: ({ decidedAt }) => isoTime(decidedAt),
})
