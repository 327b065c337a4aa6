/**
 * A download in a process of its own that may be killed at any moment. Arguments: the exchange's addresses as JSON, the
 * query as JSON, and the file that it keeps: a line for a chunk, written in one go.
 */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { openExchange } from '../ccxt/live-markets.ts'
import { downloadHistory } from '../download-history.ts'
import type { HistoryQuery } from '../live-venue.ts'

const [urls, query, file] = process.argv.slice(2) as [string, string, string]

/** What a kill has torn off is cut away. */
function lastWhole(): number | null {
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  truncateSync(file, Buffer.byteLength(whole))
  const line = whole.trimEnd().split('\n').at(-1)
  return line === undefined || line === '' ? null : (JSON.parse(line) as { resumeMs: number }).resumeMs
}

const venue = await openExchange('binance', { urls: JSON.parse(urls) as object, firstWaitMs: 20 })
await downloadHistory(venue, JSON.parse(query) as HistoryQuery, {
  resumePoint: async () => lastWhole(),
  write: async ({ candles, resumeMs }) =>
    appendFileSync(file, `${JSON.stringify({ resumeMs, rows: rowsFromCandles(candles) })}\n`),
})
await venue.close()
