import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomCandles, shapecastCsv } from '../testing/candle-files.ts'

const MB = 1024 ** 2
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candle-memory-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Measured {
  problems: string[]
  rowsRead: number
  candles: number
  duplicates: number
  acceptable: boolean
  peakMb: number
}

function measure(content: Buffer, ...args: string[]): Measured {
  const path = join(folder, 'measured.gz')
  writeFileSync(path, content)
  const script = join(import.meta.dirname, '../testing/measure-read.ts')
  return JSON.parse(execFileSync(process.execPath, [script, path, ...args], { encoding: 'utf8' }))
}

/** A gzip of many members reads as all of them in a row (RFC 1952, section 2.2). */
const repeated = (part: Buffer | string, times: number): Buffer => Buffer.concat(Array(times).fill(gzipSync(part)))

describe('reading stays under 300 MB', () => {
  it('for two gigabytes of zero bytes in a gzip, and ends with a reason', () => {
    const found = measure(repeated(Buffer.alloc(64 * MB), 32))
    expect(found.problems).toEqual(['Line 1 is longer than 8192 bytes: this is no CSV of candles.'])
    expect(found.peakMb).toBeLessThan(300)
  })

  it('for two gigabytes of lines of zeros in a gzip, and ends with a reason', () => {
    const found = measure(repeated('0,0,0,0,0,0\n'.repeat(5_600_000), 32), 'skip')
    expect(found.problems).toEqual(['None of the first 10,000 rows is a candle: reading stopped there.'])
    expect(found.peakMb).toBeLessThan(300)
  })

  it('for two gigabytes of blank lines in a gzip, and ends with a reason', () => {
    const found = measure(repeated(Buffer.alloc(64 * MB, '\n'), 32))
    expect(found.problems[0]).toMatch(/unpacks to more than 200 times its size/)
    expect(found.peakMb).toBeLessThan(300)
  })

  it('for three million rows that repeat the same fifty thousand candles', () => {
    const rows = shapecastCsv(randomCandles(50_000, Date.UTC(2024, 0, 1), '1m'))
    const found = measure(repeated(rows.slice(rows.indexOf('\n') + 1), 60))
    expect(found).toMatchObject({ rowsRead: 3_000_000, candles: 50_000, duplicates: 2_950_000, acceptable: true })
    expect(found.peakMb).toBeLessThan(300)
  })
})
