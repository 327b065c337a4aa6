/**
 * The library of published rules on daily candles, made of hours: what each did with all the money, costs included, beside
 * holding, and whether its entries were better than random ones. docs/rules.md shows what it prints.
 *
 *   node bench/rule-library.ts FILE.csv FROM TO        hours of a coin, from and to a day (2018-09-01 2024-04-20)
 */
import { basename } from 'node:path'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { aggregateCandles } from '@shapecast/venues/aggregate'
import { readAllCandles } from './study/read-file.ts'
import { libraryTable } from './study/rule-report.ts'
import { studyLibrary } from './study/rule-study.ts'

const [path, from, to] = process.argv.slice(2)
if (path === undefined || from === undefined || to === undefined)
  throw new Error('Name a file of hourly candles and the days from and to.')

const days = aggregateCandles(await readAllCandles(path, '1h'), TIMEFRAME_MS['1h'], TIMEFRAME_MS['1d'])
const studied = studyLibrary(days, '1d', Date.parse(from), Date.parse(to))
const holding = studied[0]!.buyAndHoldReturnPct.toFixed(0)
console.log(`${basename(path)}, daily, ${from} to ${to}; holding ${holding}%\n\n${libraryTable(studied)}`)
