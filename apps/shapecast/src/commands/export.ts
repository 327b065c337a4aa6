import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { csvPieces, type FileColumn, parquetOf } from '@shapecast/trading/ground/table-file'
import { type StoredSeries, seriesOfVenue } from '@shapecast/trading/market/series-store'
import { createStoredCandles } from '@shapecast/trading/market/stored-candles'
import type { Command } from 'commander'
import { venueOf, wholeNumber } from './arguments.ts'
import { withStored } from './open.ts'
import { addOptions, range, symbol as symbolOption, timeframe as timeframeOption } from './options.ts'
import { dateOf, note } from './output.ts'

interface ExportOptions {
  symbol: string
  timeframe: Timeframe
  venue: string
  from?: number
  to?: number
  limit?: number
}

export const addExport = (command: Command): void => {
  addOptions(command, [symbolOption(), timeframeOption(), ...range()])
    .argument('<file>', 'the file to write')
    .option('--venue <venue>', 'whose candles', venueOf, 'replay')
    .option('--limit <candles>', 'the newest so many of them', wholeNumber)
    .action(async (file: string, { symbol, timeframe, venue, from, to, limit }: ExportOptions) => {
      const folder = dirname(file)
      if (!existsSync(folder)) throw new AppError('bad_input', `There is no folder ${folder} to write into.`)
      const candles = await withStored(async ({ db }) => {
        const found = await createStoredCandles(db).candles(venue, symbol, timeframe, { fromMs: from, toMs: to, limit })
        if (found.length === 0) throw noCandles(`${symbol} ${timeframe}`, venue, await seriesOfVenue(db.orm, venue))
        return found
      })
      await write(file, candles)
      note(
        `${candles.length.toLocaleString('en')} candles of ${symbol} ${timeframe} written to ${file === '-' ? 'standard output' : file}.`,
      )
    })
}

function noCandles(wanted: string, venue: string, stored: readonly StoredSeries[]): AppError {
  const there = stored.map((s) => `${s.symbol} ${s.timeframe} from ${dateOf(s.firstTs)} to ${dateOf(s.lastTs)}`)
  return new AppError(
    'no_candles',
    `No candles of ${wanted} of ${venue} are stored in this range. ${there.length === 0 ? `Nothing of ${venue} is stored; --venue names another.` : `Of ${venue} there are ${there.join(', ')}.`}`,
  )
}

/** Timestamp (ms), open, high, low, close, volume. */
function columnsOf({ ts, open, high, low, close, volume }: Candles): FileColumn[] {
  const prices = Object.entries({ open, high, low, close, volume })
  return [
    { name: 'timestamp', kind: 'ms', values: ts },
    ...prices.map(([name, values]): FileColumn => ({ name, kind: 'number', values })),
  ]
}
/** A file that is there is whole: it is written beside its place and moved there at the end. */
async function write(file: string, candles: Candles): Promise<void> {
  const columns = columnsOf(candles)
  const pieces = Readable.from(file.endsWith('.parquet') ? [parquetOf(columns)] : csvPieces(columns))
  if (file === '-') return pipeline(pieces, process.stdout, { end: false })
  const draft = `${file}.${process.pid}.part`
  try {
    const out = createWriteStream(draft, { flags: 'wx' })
    if (file.endsWith('.gz')) await pipeline(pieces, createGzip(), out)
    else await pipeline(pieces, out)
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
