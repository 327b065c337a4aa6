import { type FundingRecord, toMinute } from '../funding.ts'
import { parseDecimal, whyNotANumber } from './decimal.ts'
import { IMPORT_LIMITS } from './limits.ts'
import { LineTooLong, RowScanner } from './row-scanner.ts'
import { textFiles, UnreadableFile } from './text-files.ts'
import { EARLIEST_MS, msOf, timeUnitOf } from './time-unit.ts'

interface Columns {
  readonly time: number
  readonly rate: number
  readonly mark: number
  readonly interval: number
}

const NAMES = {
  time: ['calc_time', 'fundingtime', 'funding_time', 'time', 'timestamp'],
  rate: ['last_funding_rate', 'fundingrate', 'funding_rate', 'rate'],
  mark: ['mark_price', 'markprice', 'mark'],
  interval: ['funding_interval_hours'],
}
/** Of a file without a header, by the number of its columns: `time,rate`, and Binance's archive. */
const UNNAMED: Readonly<Record<number, Columns>> = {
  2: { time: 0, rate: 1, mark: -1, interval: -1 },
  3: { time: 0, interval: 1, rate: 2, mark: -1 },
}
const MOST_RECORDS = 1_000_000
const HOUR_MS = 3_600_000

/** A file cannot be taken; the message says why, for people. */
export class BadFundingFile extends Error {
  override readonly name = 'BadFundingFile'
}

/**
 * Funding rates of a CSV, plain, gzipped or zipped: Binance's archive (`calc_time,funding_interval_hours,last_funding_rate`)
 * or columns named time and rate, with a mark price where there is one. All rows, or it throws `BadFundingFile` with the
 * first that is none.
 */
export async function readFundingFile(path: string, nowMs: number): Promise<FundingRecord[]> {
  const records = new Map<number, FundingRecord>()
  try {
    for await (const file of textFiles(path, IMPORT_LIMITS)) {
      let columns: Columns | null = null
      const scanner = new RowScanner(IMPORT_LIMITS.maxLineBytes, (row) => {
        if (columns === null) {
          const first = Array.from({ length: row.columns }, (_, c) => row.column(c).toLowerCase())
          const isData = /^\d+$/.test(first[0] ?? '')
          columns = isData ? unnamed(first.length) : named(first)
          if (!isData) return
        }
        const record = recordOf(row, columns, nowMs)
        const before = records.get(record.timeMs)
        if (before !== undefined && before.rate !== record.rate)
          throw bad(row, `has another rate than an earlier line of the same time (${before.rate})`)
        records.set(record.timeMs, record)
        if (records.size > MOST_RECORDS) throw new BadFundingFile('The file has more than 1,000,000 rates: split it.')
      })
      for await (const chunk of file.chunks()) scanner.push(chunk)
      scanner.end()
    }
  } catch (error) {
    if (error instanceof LineTooLong)
      throw new BadFundingFile(`Line ${error.line} is too long: this is no CSV of rates.`)
    throw error instanceof UnreadableFile ? new BadFundingFile(error.message) : error
  }
  if (records.size === 0) throw new BadFundingFile('The file has no rates.')
  return [...records.values()]
}

const bad = (row: RowScanner, what: string) => new BadFundingFile(`Line ${row.line} ${what}. Nothing was imported.`)

function unnamed(count: number): Columns {
  const columns = UNNAMED[count]
  if (columns !== undefined) return columns
  throw new BadFundingFile(
    `The first row has ${count} columns and there is no header: expected time,rate or Binance's calc_time,funding_interval_hours,last_funding_rate.`,
  )
}

function named(names: readonly string[]): Columns {
  const find = (of: keyof typeof NAMES) => names.findIndex((name) => NAMES[of].includes(name.replace(/^\uFEFF/, '')))
  const columns = { time: find('time'), rate: find('rate'), mark: find('mark'), interval: find('interval') }
  if (columns.time >= 0 && columns.rate >= 0) return columns
  throw new BadFundingFile(
    `This is no file of funding rates: its first line (${names.join(',').slice(0, 80)}) must name a time and a rate.`,
  )
}

function recordOf(row: RowScanner, columns: Columns, nowMs: number): FundingRecord {
  const number = (of: keyof Columns): number => {
    const column = columns[of]
    if (column >= row.columns) throw bad(row, `has ${row.columns} columns, too few`)
    const value = parseDecimal(row.bytes, row.starts[column]!, row.ends[column]!)
    if (Number.isNaN(value)) throw bad(row, `cannot be read: its ${of} ${whyNotANumber(row.column(column))}`)
    return value
  }
  const time = number('time')
  const unit = timeUnitOf(time)
  if (unit === null) throw bad(row, `has a time, ${time}, that is not in seconds, milliseconds or microseconds`)
  const timeMs = toMinute(msOf(time, unit))
  if (timeMs < EARLIEST_MS || timeMs > nowMs) throw bad(row, `is of ${new Date(timeMs).toISOString()}, which cannot be`)
  const rate = number('rate')
  if (Math.abs(rate) >= 0.1) throw bad(row, `has a rate of ${rate}: it must be a ratio, such as 0.0001 for 0.01%`)
  const isMarked = columns.mark >= 0 && columns.mark < row.columns && row.column(columns.mark) !== ''
  const mark = isMarked ? number('mark') : Number.NaN
  if (isMarked && mark < 0) throw bad(row, `has a mark price of ${mark}`)
  const hours = columns.interval < 0 ? 0 : number('interval')
  return { timeMs, rate, mark: mark > 0 ? mark : Number.NaN, intervalMs: hours > 0 ? hours * HOUR_MS : null }
}
