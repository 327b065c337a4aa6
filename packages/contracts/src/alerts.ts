import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { PlainText } from './storable-text.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs } from './units.ts'

const Direction = z.enum(['above', 'below'])
const Minutes = z
  .number('must be a number of minutes')
  .int('must be a whole number of minutes')
  .min(5, 'must be at least 5 minutes')
  .max(43_200, 'must be at most 30 days (43,200 minutes)')
const series = { symbol: SymbolId, timeframe: Timeframe }

/** What an alert watches. It rings when its value passes the level, not while it lies beyond it. */
export const AlertRule = z.discriminatedUnion('kind', [
  /** The last price, quote per base. */
  z.object({
    kind: z.literal('price'),
    symbol: SymbolId,
    direction: Direction,
    price: z.number('must be a price').positive('must be more than 0').max(1e12, 'must be at most 1,000,000,000,000'),
  }),
  /** A condition of the rule language at closes, such as `rsi(14) > 70`: rings when it becomes true. */
  z.object({
    kind: z.literal('indicator'),
    ...series,
    condition: PlainText.min(1, 'must be a condition, such as rsi(14) > 70').max(500, 'must be at most 500 characters'),
  }),
  /** What the current model says at closes. */
  z.object({ kind: z.literal('signal'), ...series, signal: z.enum(['BUY', 'SELL']) }),
  /** Of a bot's equity below its highest, percent. */
  z.object({
    kind: z.literal('drawdown'),
    botId: z.uuid(),
    pct: z.number('must be a percentage').min(0.1, 'must be at least 0.1%').max(100, 'must be at most 100%'),
  }),
  /** An active bot has not decided for so long past its close. */
  z.object({ kind: z.literal('bot_silent'), botId: z.uuid(), minutes: Minutes }),
  /** No candle of a series has come for so long past its close. */
  z.object({ kind: z.literal('feed_silent'), ...series, minutes: Minutes }),
])
export type AlertRule = z.infer<typeof AlertRule>

const AlertFields = z.object({
  rule: AlertRule,
  /** Said beside what happened. */
  note: PlainText.max(200, 'must be at most 200 characters').default(''),
  /** After ringing it rests for so long, minutes. */
  restMinutes: Minutes.default(60),
})

export const Alert = z.object({
  id: z.uuid(),
  rule: AlertRule,
  /** What it watches, in a sentence. */
  about: z.string(),
  note: z.string(),
  restMinutes: z.number().int(),
  isOn: z.boolean(),
  rangAt: epochMs().nullable(),
  timesRung: z.number().int(),
  createdAt: epochMs(),
})
export type Alert = z.infer<typeof Alert>

export const alerts = tradingEndpoint('GET /api/alerts', {
  summary: "The caller's alerts, the newest first.",
  reply: z.array(Alert),
})

export const createAlert = tradingEndpoint('POST /api/alerts', {
  summary: 'Make an alert: on a price, an indicator, a signal, a drawdown, or the silence of a bot or of the feed.',
  touches: [alerts],
  body: AlertFields,
  reply: Alert,
  errors: ['unknown_symbol', 'unprocessable', 'not_found'],
})

export const changeAlert = tradingEndpoint('PATCH /api/alerts/:id', {
  summary: 'Change an own alert, or switch it off and on. It begins to watch again.',
  touches: [alerts],
  body: z
    .object({ ...AlertFields.shape, note: AlertFields.shape.note.unwrap(), restMinutes: Minutes, isOn: z.boolean() })
    .partial(),
  reply: Alert,
  errors: ['unknown_symbol', 'not_found'],
})

export const deleteAlert = tradingEndpoint('DELETE /api/alerts/:id', {
  summary: 'Delete an own alert. It can be restored for a day.',
  touches: [alerts],
})

export const restoreAlert = tradingEndpoint('POST /api/alerts/:id/restore', {
  summary: 'Take the deletion of an own alert back.',
  touches: [alerts],
  reply: Alert,
})
