import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'
import { isUrlLine, type Layout, layoutOf } from './dialect.ts'
import { type ImportLimits, REPORT_LIMITS } from './limits.ts'
import { readRow } from './read-row.ts'
import type { RowScanner } from './row-scanner.ts'
import { SlotIndex } from './slot-index.ts'
import type { CandleFileSummary, RefusedRow, RowOrder } from './summary.ts'
import { type TimeUnit, UNIT_NAMES } from './time-unit.ts'

export interface CandleFileSpec {
  /** The symbol that the file is said to hold, without slashes. */
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Now, ms: a candle that closes later is refused. */
  readonly nowMs: number
  /** Take the good rows of a file that has bad ones. */
  readonly skipBadRows: boolean
}

/** Thrown to end the reading of a file that is refused as a whole. Its reason is in the problems. */
export class StopReading extends Error {}

const BATCH = 8_192

/** Turns the rows of one import into batches of candles and everything that its report says. */
export class CandleCollector {
  readonly spec: CandleFileSpec
  readonly #limits: ImportLimits
  readonly #slots: SlotIndex
  readonly #timeframeMs: number
  readonly #row = new Float64Array(6)
  #batch = emptyCandles(BATCH)
  #filled = 0
  #ready: Candles[] = []

  #entries: { name: string; lineBase: number }[] = []
  #layout: Layout | null = null
  #unit: TimeUnit | null = null
  #unitLine = 0
  #lineBase = 0
  #previousTs = Number.NaN
  #ascending = true
  #descending = true
  #contradictions = 0
  #misaligned = 0
  readonly #dialects = new Set<Layout['dialect']>()
  readonly #units = new Set<TimeUnit>()
  readonly #problems: string[] = []
  readonly #refused: RefusedRow[] = []
  #refusedCount = 0
  #rowsRead = 0
  #duplicates = 0

  constructor(spec: CandleFileSpec, limits: ImportLimits) {
    this.spec = spec
    this.#limits = limits
    this.#timeframeMs = TIMEFRAME_MS[spec.timeframe]
    this.#slots = new SlotIndex(this.#timeframeMs)
  }

  get rowsRead(): number {
    return this.#rowsRead
  }

  /** Whether candles may still be handed on. */
  get acceptable(): boolean {
    return this.#problems.length === 0 && (this.#refusedCount === 0 || this.spec.skipBadRows)
  }

  /** A file of the import begins; `name` is its name within the archive. */
  beginFile(name: string, linesSoFar: number): void {
    this.#lineBase = linesSoFar
    this.#entries.push({ name, lineBase: linesSoFar })
    this.#layout = null
    this.#unit = null
  }

  /** Refuses the import as a whole. */
  problem(text: string): void {
    if (this.#problems.length < REPORT_LIMITS.problems) this.#problems.push(text)
  }

  /** Takes one line that is not blank. Throws StopReading where reading on can tell nothing more. */
  row(scanner: RowScanner): void {
    if (this.#layout === null && !this.#begin(scanner)) return
    this.#rowsRead++
    if (this.#rowsRead > this.#limits.maxRows)
      this.#stop(`The file has more than ${this.#limits.maxRows.toLocaleString('en')} rows: split it.`)
    const layout = this.#layout!
    this.#checkSymbol(scanner, layout)
    const row = this.#row
    const outcome = readRow(scanner, layout, this.#timeframeMs, this.spec.nowMs, row)
    if (outcome.unit !== null) this.#checkUnit(outcome.unit, scanner)
    if (outcome.reason !== null) {
      if (outcome.misaligned) this.#misaligned++
      this.#refuse(scanner, outcome.reason)
      return
    }
    const [ts, open, high, low, close, volume] = row as unknown as [number, number, number, number, number, number]
    const line = this.#lineBase + scanner.line
    const earlier = this.#slots.add(ts, open, high, low, close, volume, line)
    if (earlier === 0) this.#take(ts, open, high, low, close, volume)
    else if (earlier > 0) this.#duplicates++
    else this.#contradict(ts, -earlier, line)
  }

  /** The batches that are full (with `all`, also the one that is not), once each. */
  takeBatches(all: boolean): Candles[] {
    const ready = this.#ready
    this.#ready = []
    if (all && this.#filled > 0) {
      ready.push(sliceCandles(this.#batch, 0, this.#filled))
      this.#filled = 0
    }
    return ready
  }

  /** Everything that was found. Call once, at the end. */
  summary(): CandleFileSummary {
    this.#judge()
    const { gaps, gapCount, missingCandles } = this.#slots.gaps(REPORT_LIMITS.gaps)
    const order: RowOrder = this.#ascending ? 'ascending' : this.#descending ? 'descending' : 'unordered'
    return {
      dialect: only(this.#dialects),
      timeUnit: only(this.#units),
      rowsRead: this.#rowsRead,
      duplicates: this.#duplicates,
      candles: this.#slots.count,
      first: this.#slots.first,
      last: this.#slots.last,
      gaps,
      gapCount,
      missingCandles,
      refusedCount: this.#refusedCount,
      refused: this.#refused,
      problems: this.#problems,
      order,
      acceptable: this.acceptable,
    }
  }

  /** Reads the head of a file; true where the present line is a row. */
  #begin(scanner: RowScanner): boolean {
    const columns = Array.from({ length: Math.min(scanner.columns, 64) }, (_, c) => scanner.column(c))
    if (isUrlLine(columns)) return false
    const found = layoutOf(columns, this.spec.symbol)
    if (typeof found === 'string') return this.#stop(this.#where() + found)
    this.#layout = found.layout
    this.#dialects.add(found.layout.dialect)
    return found.isData
  }

  #checkSymbol(scanner: RowScanner, layout: Layout): void {
    if (layout.symbol === null || scanner.columns !== layout.columns) return
    const { symbol } = this.spec
    let matched = 0
    for (let i = scanner.starts[layout.symbol]!; i < scanner.ends[layout.symbol]!; i++) {
      const byte = scanner.bytes[i]! & (scanner.bytes[i]! >= 97 ? 0xdf : 0xff)
      const alphanumeric = (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57)
      if (!alphanumeric) continue
      if (byte !== symbol.charCodeAt(matched)) matched = Number.NaN
      matched++
    }
    if (matched !== symbol.length)
      this.#stop(
        `${this.#where()}Line ${scanner.line} is of ${scanner.column(layout.symbol) || 'no symbol'}, not of ${symbol}.`,
      )
  }

  #checkUnit(unit: TimeUnit, scanner: RowScanner): void {
    if (this.#unit === null) {
      this.#unit = unit
      this.#unitLine = scanner.line
      this.#units.add(unit)
    } else if (unit !== this.#unit) {
      this.#units.add(unit)
      this.#stop(
        `${this.#where()}The file contradicts itself: line ${this.#unitLine} writes its time in ${UNIT_NAMES[this.#unit]}, line ${scanner.line} in ${UNIT_NAMES[unit]}.`,
      )
    }
  }

  #contradict(ts: number, earlier: number, line: number): void {
    this.#contradictions++
    if (this.#contradictions <= REPORT_LIMITS.problems - 4)
      this.problem(
        `${this.#where()}The file contradicts itself: ${this.#lineName(earlier)} and ${this.#lineName(line)} give different values for ${new Date(ts).toISOString()}.`,
      )
  }

  #take(ts: number, open: number, high: number, low: number, close: number, volume: number): void {
    if (ts < this.#previousTs) this.#ascending = false
    if (ts > this.#previousTs) this.#descending = false
    this.#previousTs = ts
    const batch = this.#batch
    const i = this.#filled++
    batch.ts[i] = ts
    batch.open[i] = open
    batch.high[i] = high
    batch.low[i] = low
    batch.close[i] = close
    batch.volume[i] = volume
    if (this.#filled < BATCH) return
    this.#filled = 0
    if (!this.acceptable) return
    this.#ready.push(batch)
    this.#batch = emptyCandles(BATCH)
  }

  #refuse(scanner: RowScanner, reason: string): void {
    this.#refusedCount++
    if (this.#refused.length < REPORT_LIMITS.refused) {
      const entry = this.#entries.length > 1 || this.#lineBase > 0 ? { entry: this.#entries.at(-1)!.name } : {}
      this.#refused.push({ line: scanner.line, reason, text: scanner.text(), ...entry })
    }
    if (this.#slots.count === 0 && this.#refusedCount >= this.#limits.maxRowsWithoutCandle)
      this.#stop(
        `None of the first ${this.#refusedCount.toLocaleString('en')} rows is a candle: reading stopped there.`,
      )
  }

  /** What can be said of the file as a whole only at its end. */
  #judge(): void {
    const candles = this.#slots.count
    const more = this.#contradictions - (REPORT_LIMITS.problems - 4)
    if (more > 0) this.problem(`${more} more times have rows that contradict each other.`)
    if (this.#problems.length > 0) return
    const name = this.spec.timeframe
    if (this.#misaligned >= 3 && this.#misaligned > this.#rowsRead * 0.1)
      this.problem(
        `${this.#misaligned} of ${this.#rowsRead} rows do not open at a multiple of ${name}: is it the file of another timeframe?`,
      )
    const { step } = this.#slots.gaps(0)
    if (candles >= 3 && step > 1)
      this.problem(
        `The candles of the file are all multiples of ${step} × ${name} apart: is it the file of a larger timeframe?`,
      )
    if (candles === 0 && this.#refusedCount === 0)
      this.problem(this.#rowsRead === 0 ? 'The file has no rows.' : 'The file has no candles.')
  }

  #stop(text: string): never {
    this.problem(text)
    throw new StopReading(text)
  }

  /** The name of the present file where the archive has several. */
  #where(): string {
    return this.#entries.length > 1 ? `${this.#entries.at(-1)!.name}: ` : ''
  }

  #lineName(globalLine: number): string {
    const entry = this.#entries.findLast((e) => e.lineBase < globalLine)!
    const line = `line ${globalLine - entry.lineBase}`
    return this.#entries.length > 1 ? `${line} of ${entry.name}` : line
  }
}

const only = <T extends string>(values: ReadonlySet<T>): T | 'mixed' | 'unknown' =>
  values.size === 0 ? 'unknown' : values.size === 1 ? [...values][0]! : 'mixed'
