import type { ImportReport } from '@shapecast/contracts/market'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { importFile } from '@shapecast/trading/features/market/import-file'
import { type Command, Option } from 'commander'
import { symbolOf, venueOf } from './arguments.ts'
import { withStored } from './open.ts'
import { FAILED, print, progressOf, table } from './output.ts'

interface ImportOptions {
  symbol: string
  timeframe: Timeframe
  venue?: string
  skipBadRows?: true
  replace?: true
  json?: true
}

export const addImport = (program: Command): void => {
  program
    .command('import')
    .description('import files of candles (CSV, .gz, .zip; the dialect is recognised); works while the server runs')
    .argument('<file...>', 'the files; each is taken as a whole or not at all')
    .requiredOption('--symbol <symbol>', 'the market, such as BTCUSDT', symbolOf)
    .addOption(
      new Option('--timeframe <timeframe>', 'how long one candle is').choices(TIMEFRAMES).makeOptionMandatory(),
    )
    .option('--venue <venue>', 'where the candles belong (replay, which MARKET=replay reads)', venueOf)
    .option('--skip-bad-rows', 'take the good rows of a file that has bad ones')
    .option('--replace', 'overwrite stored candles that differ')
    .option('--json', 'print the reports as JSON')
    .action(async (files: string[], options: ImportOptions) => {
      const reports = await withStored(({ db }, signal) => importAll(db, files, options, signal))
      if (options.json) print(JSON.stringify(reports, null, 2))
      if (reports.some((report) => !report.accepted)) process.exitCode = FAILED
    })
}

async function importAll(
  db: Database,
  files: readonly string[],
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportReport[]> {
  const reports: ImportReport[] = []
  for (const path of files) {
    signal.throwIfAborted()
    const bar = progressOf(path)
    try {
      const report = await importFile({ db }, { path, ...options }, (progress) => {
        signal.throwIfAborted()
        bar.show(progress.bytesRead / Math.max(1, progress.bytesTotal), `${count(progress.rowsRead)} rows`)
      })
      reports.push(report)
      bar.end()
      if (!options.json) print(textOf(report))
    } finally {
      bar.end()
    }
  }
  return reports
}

const count = (n: number) => n.toLocaleString('en')
const time = (ms: number | null) =>
  ms === null ? 'none' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The report for people: what came in, what is missing, what was refused and why. */
export function textOf(report: ImportReport): string {
  const { symbol, timeframe, venue } = report
  const lines = [
    `${report.file}: ${report.accepted ? 'imported' : 'NOT imported'} as ${symbol} ${timeframe} of ${venue}`,
    indent(
      table([
        ['rows read', count(report.rowsRead)],
        ['new candles', count(report.taken)],
        ['already stored', count(report.alreadyStored)],
        ['duplicate rows', count(report.duplicates)],
        ['different from the stored ones', count(report.differing)],
        ['refused rows', count(report.refusedCount)],
        ['gaps', count(report.gapCount)],
        ['missing candles', count(report.missingCandles)],
      ]),
    ),
    indent(`dialect ${report.dialect}, times in ${report.timeUnit}`),
    indent(`from ${time(report.first)} to ${time(report.last)}`),
  ]
  for (const gap of report.gaps)
    lines.push(indent(`gap: ${time(gap.from)} to ${time(gap.to)}, ${count(gap.missing)} missing`))
  if (report.gapCount > report.gaps.length)
    lines.push(indent(`and ${count(report.gapCount - report.gaps.length)} more gaps`))
  for (const row of report.refused) lines.push(indent(`line ${row.line}: ${row.reason} (${row.text})`))
  if (report.refusedCount > report.refused.length)
    lines.push(indent(`and ${count(report.refusedCount - report.refused.length)} more refused rows`))
  for (const problem of report.problems) lines.push(indent(problem))
  return lines.join('\n')
}

const indent = (text: string) => text.replace(/^/gm, '  ')
