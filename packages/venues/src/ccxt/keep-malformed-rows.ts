import { AppError } from '@shapecast/contracts/errors'

type Parsed = readonly (number | undefined)[]

interface ParsesCandles {
  readonly id: string
  parseOHLCV(row: unknown, market?: unknown): Parsed
  parseOHLCVs(rows: unknown, ...rest: unknown[]): Parsed[]
}

/**
 * Has an exchange of ccxt's hand on candle rows without a time, which it leaves out, as empty rows: they are candles
 * that exist, and no gap. An answer that is no list of rows, which it takes for an empty one, is `venue_unreachable`.
 */
export function keepMalformedRows(exchange: object): void {
  const target = exchange as Partial<ParsesCandles>
  const parseOne = target.parseOHLCV?.bind(exchange)
  const parseAll = target.parseOHLCVs?.bind(exchange)
  if (parseOne === undefined || parseAll === undefined) return
  let timeless = 0
  target.parseOHLCV = (row, market) => {
    const parsed = typeof row === 'object' && row !== null ? parseOne(row, market) : []
    if (!((parsed[0] ?? 0) > 0)) timeless++
    return parsed
  }
  target.parseOHLCVs = (rows, ...rest) => {
    if (!Array.isArray(rows))
      throw new AppError('venue_unreachable', `${target.id} answered something that is no candles.`)
    timeless = 0
    const parsed = parseAll(rows, ...rest).filter(([ts]) => (ts ?? 0) > 0)
    return [...parsed, ...Array.from({ length: timeless }, () => [])]
  }
}
