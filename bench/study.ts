/**
 * Confirms the recipe: on real hours of BTC, ETH and SOL, 38 windows whose hold-outs do not overlap within a coin, and on
 * generated markets with and without something to find. Prints Markdown tables, as in docs/study.md. Takes about ten
 * minutes on two cores.
 *
 *   node bench/study.ts [real] [planted] [--keep FOLDER] [--out FILE.md]
 *
 * Both parts where none is named. --keep leaves each window's model in a folder and takes it from there the next time.
 * The candle files are looked for in SHAPECAST_DATA, else in shared/data beside the project.
 *
 *   node bench/study.ts policies [FILE.csv … --from 2022-01-01 --to 2024-04-21 [--timeframe 1h] [--json]]
 *
 * What the policies of bots did between two days (the second left out) on the candles of any file, or of several coins on
 * one balance. Without a file:
 * the tables of docs/bots.md, with what a drawdown limit would have ended, from the files of the study.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { judgeMarkets, plantedReport } from './study/planted-markets.ts'
import { studyPairs } from './study/policy-pairs.ts'
import { policiesReport } from './study/policy-report.ts'
import { policyTable, studyPolicies, studyRows } from './study/policy-study.ts'
import { readAllCandles } from './study/read-file.ts'
import { realReport, type StudiedWindow } from './study/real-report.ts'
import { trainedWindow, windowName } from './study/trained-window.ts'
import { windowRows } from './study/window-rows.ts'
import { dataFolder, studyWindows } from './study/windows.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'string' },
    out: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    timeframe: { type: 'string', default: '1h' },
    json: { type: 'boolean', default: false },
  },
})
const PAIR_RULES = ['hold', 'fixed_share', 'steady_risk', 'trend_steady_risk', 'trend_ensemble'] as const

const wants = (part: string): boolean => positionals.length === 0 || positionals.includes(part)
const log = (text: string): void => console.error(text)

async function recipeReport(): Promise<string> {
  const parts: string[] = []
  if (wants('real')) {
    const windows: StudiedWindow[] = []
    for (const window of studyWindows(dataFolder())) {
      const { card, files } = await trainedWindow(window, {}, values.keep)
      windows.push({ name: windowName(window), card, rows: await windowRows(window, { card, files }) })
      log(`${windowName(window)}: ${(100 * card.evaluation.accuracy.accuracy).toFixed(1)} %`)
    }
    parts.push('## Real hours', realReport(windows))
  }
  if (wants('planted')) parts.push('## Generated markets', plantedReport(await judgeMarkets(log)))
  return parts.join('\n\n')
}

async function policyReport(paths: readonly string[]): Promise<string> {
  if (paths.length === 0) return policiesReport()
  const [fromMs, toMs] = [values.from, values.to].map((day) => Date.parse(day ?? ''))
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    throw new Error('Give files and two days: policies FILE.csv … --from 2022-01-01 --to 2024-04-21')
  const timeframe = Timeframe.parse(values.timeframe)
  const files = await Promise.all(paths.map((path) => readAllCandles(path, timeframe)))
  if (files.length > 1) {
    // Sells of one time fill before buys, and buys in the order of the files.
    const coins = new Map(files.map((candles, k) => [`COIN${k}`, candles]))
    const rules = PAIR_RULES.map((rule) => studyPairs(coins, timeframe, fromMs!, toMs!, rule))
    return values.json ? JSON.stringify(rules.map(({ daily, ...rule }) => rule)) : studyRows(rules)
  }
  const study = studyPolicies(files[0]!, timeframe, fromMs!, toMs!)
  return values.json ? JSON.stringify(study.rules) : policyTable(study)
}
const report = positionals[0] === 'policies' ? await policyReport(positionals.slice(1)) : await recipeReport()
if (values.out === undefined) console.log(report)
else writeFileSync(values.out, `${report}\n`)
