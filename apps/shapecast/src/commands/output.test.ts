import { describe, expect, it } from 'vitest'
import { progressOf, table } from './output.ts'

const streamOf = (isTTY: boolean) => {
  const written: string[] = []
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) }
  return { written, stream: stream as unknown as NodeJS.WriteStream }
}

describe('what commands print', () => {
  it('puts words to the left and figures to the right', () => {
    expect(
      table([
        ['Trades', '7'],
        ['Net PnL', '+12.50'],
      ]),
    ).toBe('Trades        7\nNet PnL  +12.50')
    expect(
      table(
        [
          ['seed', '1'],
          ['verdict', 'good'],
        ],
        'words',
      ),
    ).toBe('seed     1\nverdict  good')
  })

  it('draws a bar that replaces itself on a terminal', () => {
    const { written, stream } = streamOf(true)
    let at = 0
    const bar = progressOf('import', stream, () => at)
    bar.show(0.5, 'half')
    bar.show(0.6, 'too soon')
    at = 200
    bar.show(2, 'over')
    bar.end()
    expect(written).toEqual([
      `\r\u001b[2Kimport [${'='.repeat(15)}${' '.repeat(15)}] 50% half`,
      `\r\u001b[2Kimport [${'='.repeat(30)}] 100% over`,
      '\r\u001b[2K',
    ])
  })

  it('writes a plain line now and then elsewhere', () => {
    const { written, stream } = streamOf(false)
    let at = 0
    const bar = progressOf('import', stream, () => at)
    bar.show(0.1)
    at = 4_000
    bar.show(0.2)
    at = 5_000
    bar.show(0.3, '9 rows')
    bar.end()
    expect(written).toEqual(['import: 10%\n', 'import: 30%, 9 rows\n'])
  })
})
