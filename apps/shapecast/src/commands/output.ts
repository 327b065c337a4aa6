/** Where a command prints: answers on standard output, everything else on standard error. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)
export const note = (line: string): void => void process.stderr.write(`${line}\n`)

/** Exit codes: 0 it worked, 1 it failed, 2 it was not asked for properly. */
export const FAILED = 1
export const WRONG_USAGE = 2

/** Rows as columns of equal width: the first to the left, the others, which hold figures or words, as asked. */
export function table(rows: readonly (readonly string[])[], align: 'figures' | 'words' = 'figures'): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const cell = (text: string, column: number) =>
    column > 0 && align === 'figures' ? text.padStart(widths[column]!) : text.padEnd(widths[column]!)
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}

/** A day, UTC; a dash where there is none. */
export const dateOf = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 10))

/** A minute, UTC. */
export const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A figure with two decimals; a dash where there is none. */
export const fixed = (value: number | null | undefined): string => (value == null ? '-' : value.toFixed(2))

/** An answer as it was asked for: as JSON, or as text. */
export const printAs = (json: true | undefined, value: unknown, text: () => string): void =>
  print(json ? JSON.stringify(value, null, 2) : text())

const BAR_WIDTH = 30
const LINE_EVERY_MS = 5_000

/** A bar that moves where a person looks on, a line now and then where a file or a program does. */
export function progressOf(what: string, stream: NodeJS.WriteStream = process.stderr, now: () => number = Date.now) {
  let last = Number.NEGATIVE_INFINITY
  let shown = false
  return {
    /** `share` from 0 to 1. */
    show(share: number, detail = ''): void {
      const every = stream.isTTY ? 100 : LINE_EVERY_MS
      if (now() - last < every) return
      last = now()
      const percent = `${Math.floor(Math.min(1, Math.max(0, share)) * 100)}%`
      if (!stream.isTTY) {
        stream.write(`${what}: ${percent}${detail === '' ? '' : `, ${detail}`}\n`)
        return
      }
      const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH)
      const line = `${what} [${'='.repeat(full)}${' '.repeat(BAR_WIDTH - full)}] ${percent} ${detail}`
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      shown = true
    },
    /** Takes the bar away. */
    end(): void {
      if (shown) stream.write('\r\u001b[2K')
    },
  }
}
export type Progress = ReturnType<typeof progressOf>
