import { basename } from 'node:path'

/**
 * Binance publishes its klines under names such as `BTCUSDT-1h-2023-01.csv`. Where a file of an archive has such a name
 * and it speaks of another symbol or timeframe than the import, the reason to refuse it; else null.
 */
export function nameConflict(fileName: string, symbol: string, timeframe: string): string | null {
  const published = /^([A-Z0-9]{4,30})-(\d{1,2}(?:s|m|h|d|w|mo))-\d{4}-\d{2}(?:-\d{2})?\.csv$/.exec(basename(fileName))
  if (!published) return null
  const [, itsSymbol, itsTimeframe] = published
  if (itsSymbol === symbol && itsTimeframe === timeframe) return null
  return `The archive holds ${basename(fileName)}: candles of ${itsSymbol} ${itsTimeframe}, not of ${symbol} ${timeframe}.`
}
