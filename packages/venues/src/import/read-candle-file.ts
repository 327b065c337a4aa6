import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Candles } from '@shapecast/engine/candles'
import { CandleCollector, type CandleFileSpec, StopReading } from './candle-collector.ts'
import { IMPORT_LIMITS, type ImportLimits } from './limits.ts'
import { LineTooLong, RowScanner } from './row-scanner.ts'
import type { CandleFileSummary } from './summary.ts'
import { textFiles, UnreadableFile } from './text-files.ts'

export interface ReadingProgress {
  readonly bytesRead: number
  readonly bytesTotal: number
  readonly rowsRead: number
}

/** Takes a batch of different, checked candles in the file's order. The next batch waits for it. */
export type CandleSink = (candles: Candles) => void | Promise<void>

/**
 * Reads a file of candles: CSV in our form, Binance klines or CryptoDataDownload, plain, gzipped or zipped. Hands the
 * good candles on in batches while it reads, and stops handing on (but not counting) at the first thing for which the
 * file will be refused: what the sink got may be kept only where the summary says `acceptable`.
 *
 * Its memory does not grow with the file: a batch, a line, and twelve bytes a slot of the calendar (see SlotIndex).
 * Faults of the file are in the summary; a file that the system cannot read throws.
 */
export async function readCandleFile(
  path: string,
  spec: CandleFileSpec,
  sink: CandleSink,
  onProgress: (progress: ReadingProgress) => void = () => {},
  limits: ImportLimits = IMPORT_LIMITS,
): Promise<CandleFileSummary> {
  const bytesTotal = (await stat(path)).size
  const collector = new CandleCollector(spec, limits)
  if (bytesTotal === 0) {
    collector.problem('The file is empty: it has zero bytes.')
    return collector.summary()
  }
  let bytesRead = 0
  let lines = 0
  try {
    for await (const file of textFiles(path, limits, (bytes) => {
      bytesRead = bytes
    })) {
      const conflict = file.inArchive ? nameConflict(file.name, spec.symbol, spec.timeframe) : null
      if (conflict !== null) collector.problem(conflict)
      collector.beginFile(file.name, lines)
      const scanner = new RowScanner(limits.maxLineBytes, (row) => collector.row(row))
      for await (const chunk of file.chunks()) {
        scanner.push(scanner.line === 0 ? withoutBom(chunk) : chunk)
        await handOn(false)
        onProgress({ bytesRead, bytesTotal, rowsRead: collector.rowsRead })
      }
      scanner.end()
      lines += scanner.line
    }
  } catch (error) {
    if (error instanceof LineTooLong)
      collector.problem(`Line ${error.line} is longer than ${limits.maxLineBytes} bytes: this is no CSV of candles.`)
    else if (error instanceof UnreadableFile) collector.problem(error.message)
    else if (!(error instanceof StopReading)) throw error
  }
  await handOn(true)
  onProgress({ bytesRead: bytesTotal, bytesTotal, rowsRead: collector.rowsRead })
  return collector.summary()

  async function handOn(all: boolean): Promise<void> {
    if (!collector.acceptable) return
    for (const batch of collector.takeBatches(all)) await sink(batch)
  }
}

const withoutBom = (chunk: Buffer): Buffer =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk

/**
 * Binance publishes its klines under names such as `BTCUSDT-1h-2023-01.csv`. Where a file of an archive has such a name
 * and it speaks of another symbol or timeframe than the import, the reason to refuse it; else null.
 */
function nameConflict(fileName: string, symbol: string, timeframe: string): string | null {
  const published = /^([A-Z0-9]{4,30})-(\d{1,2}(?:s|m|h|d|w|mo))-\d{4}-\d{2}(?:-\d{2})?\.csv$/.exec(basename(fileName))
  if (!published) return null
  const [, itsSymbol, itsTimeframe] = published
  if (itsSymbol === symbol && itsTimeframe === timeframe) return null
  return `The archive holds ${basename(fileName)}: candles of ${itsSymbol} ${itsTimeframe}, not of ${symbol} ${timeframe}.`
}
