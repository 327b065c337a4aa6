import type { Candles } from '@shapecast/engine/candles'

/** `PGCOPY` signature, flags and header extension of the binary COPY format (PostgreSQL manual, COPY, "Binary Format"). */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TRAILER = Buffer.from([0xff, 0xff])
const FIELDS = 6
/** Two bytes for the number of fields, then four of length and eight of value each. */
const ROW_BYTES = 2 + FIELDS * 12
const TWO_32 = 2 ** 32
type Column = Float64Array
type Columns = [Column, Column, Column, Column, Column, Column]

export const COPY_START = HEADER
export const COPY_END = TRAILER

/** Rows of (ts bigint, open, high, low, close, volume double precision) for `COPY … FROM STDIN (FORMAT binary)`. */
export function encodeRows(candles: Candles): Buffer {
  const out = Buffer.allocUnsafe(candles.length * ROW_BYTES)
  const view = new DataView(out.buffer, out.byteOffset, out.length)
  const columns = [candles.open, candles.high, candles.low, candles.close, candles.volume]
  let at = 0
  for (let i = 0; i < candles.length; i++) {
    const ts = candles.ts[i]!
    view.setInt16(at, FIELDS)
    view.setInt32(at + 2, 8)
    view.setInt32(at + 6, Math.floor(ts / TWO_32))
    view.setUint32(at + 10, ts % TWO_32)
    at += 14
    for (let c = 0; c < 5; c++) {
      view.setInt32(at, 8)
      view.setFloat64(at + 4, columns[c]![i]!)
      at += 12
    }
  }
  return out
}

/**
 * Reads the same rows out of the chunks of `COPY … TO STDOUT (FORMAT binary)` into columns that grow as needed.
 * Throws where a row is not of that form.
 */
export class RowDecoder {
  #capacity: number
  #columns: Float64Array[]
  #length = 0
  #carry: Buffer = Buffer.alloc(0)
  #headerRead = false
  #ended = false

  constructor(expectedRows: number) {
    this.#capacity = Math.max(16, expectedRows)
    this.#columns = Array.from({ length: FIELDS }, () => new Float64Array(this.#capacity))
  }

  push(chunk: Buffer): void {
    const bytes = this.#carry.length > 0 ? Buffer.concat([this.#carry, chunk]) : chunk
    let at = 0
    if (!this.#headerRead) {
      if (bytes.length < HEADER.length) {
        this.#carry = bytes
        return
      }
      at = HEADER.length + bytes.readInt32BE(15)
      this.#headerRead = true
    }
    at = this.#rows(bytes, at)
    if (bytes.length - at >= 2 && bytes.readInt16BE(at) === -1) this.#ended = true
    this.#carry = bytes.subarray(at)
  }

  /** The candles. With `newestFirst` the rows came in that order and are turned round. */
  finish(newestFirst = false): Candles {
    if (!this.#ended) throw new Error('The database ended its answer before the last candle.')
    const columns = this.#columns.map((column) => {
      const used = column.subarray(0, this.#length)
      return newestFirst ? used.reverse() : used
    })
    const [ts, open, high, low, close, volume] = columns as Columns
    return { length: this.#length, ts, open, high, low, close, volume }
  }

  #rows(bytes: Buffer, start: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const whole = Math.floor((bytes.length - start) / ROW_BYTES)
    this.#reserve(this.#length + whole)
    const [ts, open, high, low, close, volume] = this.#columns as Columns
    let at = start
    let i = this.#length
    for (let row = 0; row < whole; row++) {
      const fields = view.getInt16(at)
      if (fields !== FIELDS) {
        if (fields === -1) break
        throw new Error(`A candle of the database has ${fields} columns instead of ${FIELDS}.`)
      }
      ts[i] = view.getInt32(at + 6) * TWO_32 + view.getUint32(at + 10)
      open[i] = view.getFloat64(at + 18)
      high[i] = view.getFloat64(at + 30)
      low[i] = view.getFloat64(at + 42)
      close[i] = view.getFloat64(at + 54)
      volume[i] = view.getFloat64(at + 66)
      i++
      at += ROW_BYTES
    }
    this.#length = i
    return at
  }

  #reserve(rows: number): void {
    if (rows <= this.#capacity) return
    this.#capacity = Math.max(rows, this.#capacity * 2)
    this.#columns = this.#columns.map((column) => {
      const larger = new Float64Array(this.#capacity)
      larger.set(column.subarray(0, this.#length))
      return larger
    })
  }
}
