import { TIMEFRAMES, Timeframe } from '@shapecast/contracts/timeframes'

/**
 * Symbol and timeframe as a file's name gives them: `BTCUSDT-1h-2023-01.zip`, `Binance_ETHUSDT_1h.csv`. A guess to fill
 * the fields with; null where the name says nothing.
 */
export function seriesOfFileName(name: string): { symbol: string | null; timeframe: Timeframe | null } {
  const parts = name.split(/[^A-Za-z0-9]+/)
  const timeframe = parts.map((part) => part.toLowerCase()).find((part) => TIMEFRAMES.some((one) => one === part))
  const symbol = parts.find((part) => /^[A-Z0-9]{2,20}(USDT|USDC|BUSD|USD|EUR|BTC)$/.test(part.toUpperCase()))
  return { symbol: symbol?.toUpperCase() ?? null, timeframe: Timeframe.safeParse(timeframe).data ?? null }
}
