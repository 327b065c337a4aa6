import { statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shapecast/contracts/errors'
import type { ImportReport } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { importFile } from '@shapecast/trading/market/import-file'
import { marketNameOf } from '@shapecast/trading/market/open-venue'
import type { Command } from 'commander'
import { venueOf } from './arguments.ts'
import { withStored } from './open.ts'
import { addOptions, symbol, timeframe } from './options.ts'
import { FAILED, minuteOf, note, print, progressOf, table } from './output.ts'

interface ImportOptions {
  symbol: string
  timeframe: Timeframe
  venue?: string
  skipBadRows?: true
  replace?: true
  json?: true
}

export const addImport = (command: Command): void => {
  addOptions(command, [symbol(), timeframe()])
    .argument('<file...>', 'the files; each is taken as a whole or not at all')
    .option('--venue <venue>', 'where the candles belong (replay, which MARKET=replay reads)', venueOf)
    .option('--skip-bad-rows', 'take the good rows of a file that has bad ones')
    .option('--replace', 'overwrite stored candles that differ')
    .option('--json', 'print the reports as JSON')
    .action(async (files: string[], options: ImportOptions) => {
      requireFiles(files)
      const [reports, market] = await withStored(async ({ db, config }, signal) => [
        await importAll(db, files, options, signal),
        await marketNameOf(config, db.orm),
      ])
      const venue = reports.find((report) => report.accepted)?.venue
      if (venue !== undefined && venue !== market) note(unusedText(venue, market))
      if (options.json) print(JSON.stringify(reports, null, 2))
      if (reports.some((report) => !report.accepted)) process.exitCode = FAILED
    })
}

/** All of them first: a wrong name at the end of the list is not found after hours. */
function requireFiles(files: readonly string[]): void {
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) throw new AppError('bad_input', `${file} does not exist. Nothing was imported.`)
    if (found.isDirectory())
      throw new AppError('bad_input', `${file} is a folder. Name the files in it, such as ${join(file, '*.csv')}.`)
  }
}

const unusedText = (venue: string, market: string | null): string =>
  venue === 'replay'
    ? `To use these candles, set MARKET=replay (in the environment or in .env) and start again: ${market === null ? 'MARKET is not set' : `the market is ${market} now`}.`
    : `These candles are kept under ${venue}; ${market === null ? 'MARKET is not set' : `the market is ${market}`}, which does not use them.`

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
const time = (ms: number | null) => (ms === null ? 'none' : minuteOf(ms))

/** The report for people: what came in, what is missing, what was refused and why. */
export function textOf(report: ImportReport): string {
  const { symbol, timeframe, venue } = report
  if (report.rowsRead === 0) return [`${report.file}: NOT imported`, ...report.problems.map(indent)].join('\n')
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
