export type DialectName = 'shapecast' | 'binance' | 'cryptodatadownload'

/** Which column holds what. */
export interface Layout {
  readonly dialect: DialectName
  readonly columns: number
  readonly ts: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  /** The column that names the symbol, where the dialect has one. */
  readonly symbol: number | null
}

const ROW = { ts: 0, open: 1, high: 2, low: 3, close: 4, volume: 5, symbol: null } as const
const TIME_NAMES = ['timestamp', 'open_time', 'open time', 'unix', 'unix timestamp', 'time']

/** The line that CryptoDataDownload puts above its header. */
export const isUrlLine = (columns: readonly string[]): boolean =>
  columns.length === 1 && /^(https?:\/\/|www\.)\S+$/i.test(columns[0]!)

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

/**
 * How to read a file, from its first line that is not blank and no URL line: a header by its names, or a first row by
 * the number of its columns. `isData` says that the line is itself a row. A text where the file is none of the
 * dialects: the reason.
 */
export function layoutOf(first: readonly string[], symbol: string): { layout: Layout; isData: boolean } | string {
  if (first.length > 0 && isNumber(first[0]!)) {
    if (first.length === 12) return { layout: { dialect: 'binance', columns: 12, ...ROW }, isData: true }
    if (first.length === 6) return { layout: { dialect: 'shapecast', columns: 6, ...ROW }, isData: true }
    return (
      `The first row has ${first.length} ${first.length === 1 ? 'column' : 'columns'} and there is no header: ` +
      'expected 6 (timestamp, open, high, low, close, volume) or the 12 of Binance klines.'
    )
  }
  return layoutOfHeader(
    first.map((name) => name.trim().toLowerCase()),
    symbol,
  )
}

function layoutOfHeader(names: readonly string[], symbol: string): { layout: Layout; isData: boolean } | string {
  const find = (name: string): number => names.indexOf(name)
  const ts = names.findIndex((name) => TIME_NAMES.includes(name))
  const prices = { open: find('open'), high: find('high'), low: find('low'), close: find('close') }
  const missing = Object.entries(prices)
    .filter(([, column]) => column < 0)
    .map(([name]) => name)
  if (ts < 0) missing.unshift('timestamp')
  if (missing.length > 0)
    return `This is no file of candles that can be read: its first line (${names.join(',').slice(0, 80)}) names no ${missing.join(', ')} column.`

  const symbolColumn = find('symbol')
  const layout = { columns: names.length, ts, ...prices, symbol: symbolColumn < 0 ? null : symbolColumn }
  const volume = find('volume')
  if (volume >= 0) {
    const dialect = names.length === 12 && names[ts]!.startsWith('open') ? 'binance' : 'shapecast'
    return { layout: { ...layout, dialect, volume }, isData: false }
  }
  // CryptoDataDownload has one volume in the base and one in the quote: `Volume ADA`, `Volume USDT`.
  const volumes = names.flatMap((name, column) => {
    const asset = /^volume[ _]\(?([a-z0-9]+)\)?$/.exec(name)?.[1]?.toUpperCase()
    return asset === undefined ? [] : [{ asset, column }]
  })
  const ofBase = volumes.find(({ asset }) => symbol.startsWith(asset) && asset !== symbol)
  // Where none is of this symbol, its symbol column will say so with a line number.
  const chosen = ofBase ?? (symbolColumn >= 0 ? volumes[0] : undefined)
  if (chosen) return { layout: { ...layout, dialect: 'cryptodatadownload', volume: chosen.column }, isData: false }
  return volumes.length > 0
    ? `The file's volumes (${volumes.map((v) => v.asset).join(', ')}) are not of ${symbol}: is it the file of another symbol?`
    : "The file's first line names no volume column."
}
