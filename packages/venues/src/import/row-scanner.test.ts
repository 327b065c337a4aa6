import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineTooLong, RowScanner } from './row-scanner.ts'

function scan(text: string, cuts: readonly number[] = [], maxLineBytes = 1000) {
  const bytes = Buffer.from(text)
  const rows: { line: number; columns: string[] }[] = []
  const scanner = new RowScanner(maxLineBytes, (row) => {
    rows.push({ line: row.line, columns: Array.from({ length: row.columns }, (_, c) => row.column(c)) })
  })
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b)
  for (let i = 1; i < ends.length; i++) scanner.push(bytes.subarray(ends[i - 1], ends[i]))
  scanner.end()
  return rows
}

describe('rows out of chunks', () => {
  it('are the same wherever the chunks are cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', '\n', '\r', '"', ' ', 'é'), maxLength: 60 })
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (content, cuts) => {
        expect(scan(content, cuts)).toEqual(scan(content))
      }),
      { numRuns: 1000 },
    )
  })

  it('are counted by line, blank ones too', () => {
    expect(scan('a,b\r\n\r\n \n"c, d", e ,\n\nf')).toEqual([
      { line: 1, columns: ['a', 'b'] },
      { line: 4, columns: ['c, d', 'e', ''] },
      { line: 6, columns: ['f'] },
    ])
  })

  it('end at a line that is too long, with its number', () => {
    expect(() => scan(`ok\n${'x'.repeat(1001)}`)).toThrow(LineTooLong)
    expect(() => scan(`ok\n${'x'.repeat(1001)}`)).toThrow('line 2')
    expect(scan('x'.repeat(1000))).toHaveLength(1)
  })

  it('keep no more than 64 columns of a row, and count all', () => {
    expect(scan(','.repeat(99))[0]!.columns).toHaveLength(100)
  })
})
