import { textOf } from './decimal.ts'
import { REPORT_LIMITS } from './limits.ts'

const MAX_COLUMNS = 64
const LF = 10
const CR = 13
const SPACE = 32
const QUOTE = 34
const COMMA = 44

/** A line is longer than any line of candles: this is no CSV. */
export class LineTooLong extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line} is too long`)
    this.line = line
  }
}

/**
 * Cuts chunks of bytes into rows and columns without making an object or a string of any. While `onRow` runs, column
 * `c` of the present row is `bytes[starts[c], ends[c])`, without its quotes and the spaces around it. Blank lines are
 * counted, not handed on.
 */
export class RowScanner {
  readonly starts = new Int32Array(MAX_COLUMNS)
  readonly ends = new Int32Array(MAX_COLUMNS)
  bytes: Uint8Array = new Uint8Array(0)
  /** Columns of the present row; more than 64 are counted, not kept. */
  columns = 0
  /** Number of the present line, the first being 1. */
  line = 0
  #lineStart = 0
  #lineEnd = 0
  readonly #carry: Uint8Array
  #carried = 0
  readonly #onRow: (row: RowScanner) => void

  constructor(maxLineBytes: number, onRow: (row: RowScanner) => void) {
    // One more for the line break that ends it.
    this.#carry = new Uint8Array(maxLineBytes + 1)
    this.#onRow = onRow
  }

  /** The present line as text for a report, cut to a readable length. */
  text(): string {
    const cut = Math.min(this.#lineEnd, this.#lineStart + REPORT_LIMITS.textChars)
    return textOf(this.bytes, this.#lineStart, cut)
  }

  /** Column `c` of the present row as text. */
  column(c: number): string {
    return textOf(this.bytes, this.starts[c]!, this.ends[c]!)
  }

  /** Takes the next chunk. Throws LineTooLong, and whatever `onRow` throws. */
  push(chunk: Uint8Array): void {
    let start = 0
    if (this.#carried > 0) {
      const newline = chunk.indexOf(LF)
      const end = newline < 0 ? chunk.length : newline
      this.#keep(chunk.subarray(0, end))
      if (newline < 0) return
      this.#flush()
      start = newline + 1
    }
    const rest = this.#scan(chunk, start, chunk.length)
    this.#keep(chunk.subarray(rest))
  }

  /** The file ends: its last line may have no line break. */
  end(): void {
    if (this.#carried > 0) this.#flush()
  }

  #keep(part: Uint8Array): void {
    if (this.#carried + part.length >= this.#carry.length) throw new LineTooLong(this.line + 1)
    this.#carry.set(part, this.#carried)
    this.#carried += part.length
  }

  #flush(): void {
    const length = this.#carried
    this.#carried = 0
    const line = this.#carry.slice(0, length + 1)
    line[length] = LF
    this.#scan(line, 0, length + 1)
  }

  /** Hands on the lines that end within [start, end) and returns where the unfinished one begins. */
  #scan(bytes: Uint8Array, start: number, end: number): number {
    const { starts, ends } = this
    this.bytes = bytes
    let lineStart = start
    let column = 0
    let quoted = false
    starts[0] = start
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!
      if (byte === COMMA) {
        if (column < MAX_COLUMNS) ends[column] = i
        column++
        if (column < MAX_COLUMNS) starts[column] = i + 1
      } else if (byte === LF) {
        if (column < MAX_COLUMNS) ends[column] = i
        this.#row(lineStart, i, column + 1, quoted)
        lineStart = i + 1
        column = 0
        quoted = false
        starts[0] = lineStart
      } else if (byte === QUOTE) quoted = true
    }
    return lineStart
  }

  #row(start: number, end: number, columns: number, quoted: boolean): void {
    this.line++
    this.columns = quoted ? this.#splitQuoted(start, end) : columns
    const kept = Math.min(this.columns, MAX_COLUMNS)
    for (let c = 0; c < kept; c++) this.#trim(c)
    if (this.columns === 1 && this.starts[0] === this.ends[0]) return
    this.#lineStart = start
    this.#lineEnd = this.bytes[end - 1] === CR ? end - 1 : end
    this.#onRow(this)
  }

  #trim(c: number): void {
    const { bytes } = this
    let start = this.starts[c]!
    let end = this.ends[c]!
    while (end > start && bytes[end - 1]! <= SPACE && bytes[end - 1] !== 0) end--
    while (start < end && bytes[start]! <= SPACE && bytes[start] !== 0) start++
    if (end - start >= 2 && bytes[start] === QUOTE && bytes[end - 1] === QUOTE) {
      start++
      end--
    }
    this.starts[c] = start
    this.ends[c] = end
  }

  /** As the scan above, but a comma within quotes does not part columns. */
  #splitQuoted(start: number, end: number): number {
    let column = 0
    let inside = false
    this.starts[0] = start
    for (let i = start; i < end; i++) {
      const byte = this.bytes[i]!
      if (byte === QUOTE) inside = !inside
      else if (byte === COMMA && !inside) {
        if (column < MAX_COLUMNS) this.ends[column] = i
        column++
        if (column < MAX_COLUMNS) this.starts[column] = i + 1
      }
    }
    if (column < MAX_COLUMNS) this.ends[column] = end
    return column + 1
  }
}
