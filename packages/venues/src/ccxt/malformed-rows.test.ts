import type { CandleRow } from '@shapecast/contracts/market'
import { rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { afterEach, describe, expect, it } from 'vitest'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, weekOfMinutes } from '../testing/open-local-venue.ts'

const week = weekOfMinutes().BTCUSDT!
const at = (minute: number): number => SERIES_START_MS + minute * MINUTE_MS
const QUERY = { symbol: 'BTCUSDT', timeframe: '1m', fromMs: at(10), toMs: at(14) } as const
/** Rows of minutes 10 to 14 as Binance sends them. */
const rows = (): unknown[][] =>
  rowsFromCandles(sliceCandles(week, 10, 15)).map(([ts, ...values]: CandleRow) => [
    ts,
    ...values.map(String),
    ts + MINUTE_MS - 1,
    '0',
    1,
    '0',
    '0',
    '0',
  ])

let close = async () => {}
afterEach(() => close())

async function open(warn = (_: string) => {}) {
  const opened = await openLocalVenue({ startMs: at(100) }, { warn })
  close = opened.close
  await opened.venue.markets()
  return opened
}

/** All that the history and a read bring where the exchange answers with this instead of minutes 10 to 14. */
async function told(body: unknown) {
  const { exchange, venue } = await open()
  const answer = (times: number) =>
    exchange.faults.rest({
      at: /klines/,
      times,
      fault: { kind: 'status', status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) },
    })
  answer(2)
  const kept: number[] = []
  let refused = 0
  for await (const chunk of venue.history(QUERY)) {
    kept.push(...chunk.candles.ts)
    refused += chunk.refused
  }
  exchange.faults.clear()
  answer(1)
  const read = [...(await venue.candles('BTCUSDT', '1m', { fromMs: at(10), toMs: at(14) })).ts]
  return { kept, refused, read }
}

const minutes = (...of: number[]) => of.map(at)

describe('a malformed row in an answer of candles', () => {
  it.each<[string, (row: unknown[]) => unknown]>([
    ['null', () => null],
    ['text', () => 'row'],
    ['an object', () => ({})],
    ['empty', () => []],
    ['without prices', (row) => row.slice(0, 1)],
    ['without its close', (row) => row.slice(0, 4)],
    ['without its volume, though it traded', (row) => row.slice(0, 5)],
    ['with a price of null', (row) => row.with(2, null)],
    ['with a price of text', (row) => row.with(2, 'high')],
    ['with a price of NaN', (row) => row.with(4, 'NaN')],
    ['with a price without end', (row) => row.with(2, 'Infinity')],
    ['with a negative price', (row) => row.with(3, '-1')],
    ['with a price of zero', (row) => row.with(3, '0')],
    ['with its high below its low', (row) => [row[0], row[1], row[3], row[2], ...row.slice(4)]],
    ['with a negative volume', (row) => row.with(5, '-3')],
    ['with a volume of text', (row) => row.with(5, 'much')],
    ['with a time of text', (row) => row.with(0, 'noon')],
    ['with a time of null', (row) => row.with(0, null)],
    ['between two candles', (row) => row.with(0, (row[0] as number) + 1)],
    ['of a time far ahead that makes no sense', (row) => row.with(0, 9e15)],
  ])('%s is refused, and the others are taken', async (_, spoil) => {
    const sent = rows()
    expect(await told(sent.with(2, spoil(sent[2]!) as unknown[]))).toEqual({
      kept: minutes(10, 11, 13, 14),
      refused: 1,
      read: minutes(10, 11, 13, 14),
    })
  })

  it('is counted once when it comes twice or late', async () => {
    const sent = rows()
    expect((await told([...sent, sent[1]])).kept).toEqual(minutes(10, 11, 12, 13, 14))
  })

  it.each([
    ['null', 'null'],
    ['text', '"candles"'],
    ['an object', '{}'],
    ['no JSON', 'oops'],
    ['cut off', '[[1704067200000,"1"'],
  ])('an answer that is %s brings nothing, and the next one everything', async (_, body) => {
    expect(await told(body)).toMatchObject({ kept: [], read: [] })
    await close()
    const { venue } = await open()
    expect([...(await venue.candles('BTCUSDT', '1m', { fromMs: at(10), toMs: at(14) })).ts]).toEqual(
      minutes(10, 11, 12, 13, 14),
    )
  })
})

it('the venue logs which rows it has refused', async () => {
  const said: string[] = []
  const { exchange, venue } = await open((text) => void said.push(text))
  const body = JSON.stringify(rows().map((row, k) => (k < 2 ? null : row)))
  exchange.faults.rest({ at: /klines/, fault: { kind: 'status', status: 200, body } })
  await venue.candles('BTCUSDT', '1m', { fromMs: at(10), toMs: at(14) })
  expect(said).toEqual(['binance sent 2 candles of BTC/USDT 1m that make no sense: refused'])
})

it('a time far ahead does not make what lies before it look like years without candles', async () => {
  const { exchange, venue } = await open()
  const body = JSON.stringify([[at(2_000_000), 'x', 'x', 'x', 'x', 'x']])
  exchange.faults.rest({ at: /klines/, times: 2, fault: { kind: 'status', status: 200, body } })
  const kept: number[] = []
  for await (const { candles } of venue.history({ ...QUERY, fromMs: at(0), toMs: at(99) })) kept.push(...candles.ts)
  for await (const { candles } of venue.history({ ...QUERY, fromMs: at(0), toMs: at(99) })) kept.push(...candles.ts)
  expect(kept).toEqual(Array.from({ length: 100 }, (_, i) => at(i)))
})
