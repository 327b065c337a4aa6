import { basename } from 'node:path'
import type { ImportReport } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Doer, recordAudit, SYSTEM } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { type ReadingProgress, readCandleFile } from '@shapecast/venues/import/read-candle-file'
import type { CandleFileSummary } from '@shapecast/venues/import/summary'
import { type Difference, type Stored, storeCandles } from './import-store.ts'

/** The venue of imported history where none is named: what MARKET=replay reads. */
export const DEFAULT_IMPORT_VENUE = 'replay'

export interface ImportRequest {
  readonly path: string
  /** The file's name for the report, where it is not that of the path. */
  readonly fileName?: string
  readonly symbol: string
  readonly timeframe: Timeframe
  /** `replay` where it is left out. */
  readonly venue?: string | undefined
  /** Take the good rows of a file that has bad ones; never of one that contradicts itself. */
  readonly skipBadRows?: boolean
  /** Overwrite stored candles that differ. */
  readonly replace?: boolean
  /** Who imports it, to be told of it and for the audit; the system itself where it is left out. */
  readonly by?: Doer
}

/**
 * Imports a file of candles and reports its outcome: everything that is good is stored, or nothing (`accepted`).
 * Faults of the file are in the report. Throws where the file cannot be read by the system or the database fails; then
 * too nothing is stored.
 */
export async function importFile(
  deps: { db: Database; now?: () => number },
  request: ImportRequest,
  onProgress?: (progress: ReadingProgress) => void,
): Promise<ImportReport> {
  const { symbol, timeframe, venue = DEFAULT_IMPORT_VENUE, skipBadRows = false, replace = false } = request
  const nowMs = (deps.now ?? Date.now)()
  const name = { venue, symbol, timeframe }
  const file = request.fileName ?? basename(request.path)
  const read: { summary?: CandleFileSummary } = {}
  const stored = await storeCandles(deps.db.pool, name, {
    replace,
    async produce(sink) {
      const spec = { symbol, timeframe, nowMs, skipBadRows }
      const summary = await readCandleFile(request.path, spec, sink, onProgress)
      read.summary = summary
      return { keep: summary.acceptable, gapCount: summary.gapCount, ascending: summary.order === 'ascending' }
    },
    async changed(orm, { taken, differing }) {
      const by = request.by ?? SYSTEM
      const subject = { type: 'series', id: `${venue}/${symbol}/${timeframe}` }
      await recordAudit(orm, by, {
        action: 'candles.imported',
        subject,
        after: { file, taken, replaced: differing },
      })
      if (by.userId === null) return
      const text = `${taken.toLocaleString('en')} candles of ${file}.`
      const title = `${symbol} ${timeframe} is imported`
      await notify(orm, by.userId, { kind: 'job', title, text, link: '/ml-analysis' }, nowMs)
    },
  })
  return report({ file, ...name }, read.summary!, stored, replace)
}

function report(
  name: Pick<ImportReport, 'file' | 'symbol' | 'timeframe' | 'venue'>,
  summary: CandleFileSummary,
  stored: Stored | null,
  replace: boolean,
): ImportReport {
  const { candles: _candles, order: _order, acceptable: _acceptable, ...found } = summary
  const { taken = 0, alreadyStored = 0, differing = 0, firstDifference = null } = stored ?? {}
  const accepted = stored !== null && (differing === 0 || replace)
  const problems = [...found.problems]
  if (stored === null && problems.length === 0)
    problems.push(
      `${rows(found.refusedCount)} refused, so nothing was imported. Mend the file, or import it with bad rows skipped.`,
    )
  if (firstDifference !== null && !accepted) problems.push(differenceText(differing, firstDifference))
  return { ...name, ...found, problems, accepted, taken: accepted ? taken : 0, alreadyStored, differing }
}

const rows = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'row was' : 'rows were'}`

const differenceText = (count: number, { ts, storedClose, newClose }: Difference): string =>
  `${count.toLocaleString('en')} stored ${count === 1 ? 'candle differs' : 'candles differ'} from the file, the first at ` +
  `${new Date(ts).toISOString()} (close ${storedClose} stored, ${newClose} in the file), so nothing was imported. ` +
  'Import with replace to overwrite them.'
