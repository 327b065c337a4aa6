import type { LeakCheck } from '@shapecast/contracts/leak-audit'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { changedFrom } from './altered-candles.ts'
import type { AuditedPipeline, NamedColumns } from './audited-pipeline.ts'
import { type ColumnDifference, compareColumns } from './compare-columns.ts'

/** Candles before a cut whose forecasts are compared. */
const FORECASTS = 24

interface Finding {
  cut: number
  /** The cut's index less that of the first compared candle. */
  rows: number
  difference: ColumnDifference
}

const shortList = (names: readonly string[]): string =>
  names.length <= 4 ? names.join(', ') : `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`

/** One check from what was found at each cut; `awake` is false where not even the changed candles themselves made a difference. */
function checkOf(name: string, what: string, findings: readonly Finding[], awake: boolean): LeakCheck {
  const compared = findings.reduce((sum, { difference }) => sum + difference.compared, 0)
  const worst = findings
    .filter(({ difference }) => difference.firstRow >= 0)
    .sort((a, b) => b.rows - b.difference.firstRow - (a.rows - a.difference.firstRow))[0]
  if (worst !== undefined) {
    const { columns, firstRow, largest } = worst.difference
    const ahead = worst.rows - firstRow
    const apart = Number.isFinite(largest)
      ? `by up to ${largest.toPrecision(2)} of its size`
      : 'between known and unknown'
    return {
      name,
      passed: false,
      detail: `${shortList(columns)} changed ${apart} at candles that lie before, up to ${ahead} ${ahead === 1 ? 'candle' : 'candles'} ahead of what was ${what}.`,
    }
  }
  if (!awake)
    return {
      name,
      passed: false,
      inconclusive: true,
      detail: `Nothing moves when candles change: this pipeline does not look at them.`,
    }
  const cuts = findings.length
  return {
    name,
    passed: true,
    detail: `${compared.toLocaleString('en')} numbers before ${cuts} cuts stayed as they were.`,
  }
}

const anyDifference = (a: NamedColumns, b: NamedColumns, of: number, from: number): boolean =>
  compareColumns({ columns: a, of, skip: from }, { columns: b, of, skip: from }, of - from, 0).columns.length > 0

/** What the model is given up to each cut must stay when what follows is cut off or changed. */
export function checkInputs(pipeline: AuditedPipeline, candles: Candles, cuts: readonly number[]): LeakCheck[] {
  const whole = { columns: pipeline.inputs(candles), of: candles.length }
  const [off, changed]: [Finding[], Finding[]] = [[], []]
  let awake = false
  for (const cut of cuts) {
    const before = { columns: pipeline.inputs(sliceCandles(candles, 0, cut)), of: cut }
    off.push({ cut, rows: cut, difference: compareColumns(whole, before, cut, 0) })
    const other = { columns: pipeline.inputs(changedFrom(candles, cut)), of: candles.length }
    changed.push({ cut, rows: cut, difference: compareColumns(whole, other, cut, 0) })
    awake ||= anyDifference(whole.columns, other.columns, candles.length, cut)
  }
  return [
    checkOf('Inputs with the future cut off', 'cut off', off, true),
    checkOf('Inputs with the future changed', 'changed', changed, awake),
  ]
}

/** What the model says before each cut must stay when what follows is cut off or changed. */
export async function checkForecasts(
  pipeline: AuditedPipeline,
  candles: Candles,
  cuts: readonly number[],
): Promise<LeakCheck[]> {
  const [off, changed]: [Finding[], Finding[]] = [[], []]
  let awake = false
  for (const cut of cuts) {
    const from = cut - FORECASTS
    const to = Math.min(candles.length, cut + FORECASTS)
    const whole = { columns: await pipeline.forecasts(candles, from, to), of: to - from }
    const before = { columns: await pipeline.forecasts(sliceCandles(candles, 0, cut), from, cut), of: FORECASTS }
    const other = { columns: await pipeline.forecasts(changedFrom(candles, cut), from, to), of: to - from }
    const { tolerance } = pipeline
    off.push({ cut, rows: FORECASTS, difference: compareColumns(whole, before, FORECASTS, tolerance) })
    changed.push({ cut, rows: FORECASTS, difference: compareColumns(whole, other, FORECASTS, tolerance) })
    awake ||= anyDifference(whole.columns, other.columns, to - from, FORECASTS)
  }
  return [
    checkOf('Forecasts with the future cut off', 'cut off', off, true),
    checkOf('Forecasts with the future changed', 'changed', changed, awake),
  ]
}
