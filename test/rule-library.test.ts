import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { LIBRARY_STRETCH, RULE_LIBRARY } from '@shapecast/engine/rules/library'
import { parseRule } from '@shapecast/engine/rules/parse'
import { ruleText } from '@shapecast/engine/rules/print'
import { aggregateCandles } from '@shapecast/venues/aggregate'
import { expect, it } from 'vitest'
import { readAllCandles } from '../bench/study/read-file.ts'
import { libraryTable } from '../bench/study/rule-report.ts'
import { studyLibrary } from '../bench/study/rule-study.ts'

const folder = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../shared/data')
const docs = readFileSync(resolve(import.meta.dirname, '../docs/rules.md'), 'utf8')

const STUDIED = [
  ['BTCUSDT-1h-2017-2024.csv', '2018-09-01', '2024-04-21'],
  ['ETHUSDT-1h.csv', '2023-01-01', '2024-06-25'],
  ['SOLUSDT-1h.csv', '2023-01-01', '2024-06-25'],
] as const

it('the library has twelve rules that can be read, and docs/rules.md has the text and the source of each', () => {
  expect(new Set(RULE_LIBRARY.map(({ id }) => id)).size).toBe(12)
  for (const { name, source, text } of RULE_LIBRARY) {
    expect(ruleText(parseRule(text)), name).toBe(text)
    expect(docs).toContain(`| ${name} | \`${text.replaceAll('\n', ' ')}\` | ${source} |`)
  }
})

it.skipIf(!existsSync(resolve(folder, STUDIED[0][0]))).each(STUDIED)(
  'docs/rules.md has what the library did on %s from %s to %s',
  async (file, from, to) => {
    const path = resolve(folder, file)
    const days = aggregateCandles(await readAllCandles(path, '1h'), TIMEFRAME_MS['1h'], TIMEFRAME_MS['1d'])
    const studied = studyLibrary(days, '1d', Date.parse(from), Date.parse(to))
    expect(docs).toContain(libraryTable(studied))
    if (from !== LIBRARY_STRETCH.from) return
    expect(studied[0]!.buyAndHoldReturnPct.toFixed(0)).toBe(String(LIBRARY_STRETCH.holdPct))
    for (const { rule, totalReturnPct, maxDrawdownPct, trades, investedPct, verdict } of studied)
      expect(rule.did, rule.name).toEqual({
        totalReturnPct: Math.round(totalReturnPct),
        maxDrawdownPct: Math.round(maxDrawdownPct),
        trades,
        investedPct: Math.round(investedPct),
        p: verdict.p === null ? null : Number(verdict.p.toFixed(3)),
      })
  },
)
