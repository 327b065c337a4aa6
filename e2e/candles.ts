import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const HOUR_MS = 3_600_000
const folder = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../shared/data')
const real = join(folder, 'BTCUSDT-1h-2017-2024.csv')

export interface CandleFile {
  path: string
  candles: number
  gaps: number
  /** Open time of the last candle, ms. */
  last: number
}

/** Real BTCUSDT 1h history where the sample data is at hand, else a generated one. */
export const hourlyBitcoin = async (into: string): Promise<CandleFile> =>
  existsSync(real) ? { path: real, candles: 58_419, gaps: 28, last: Date.UTC(2024, 3, 21, 14) } : generatedHours(into)

/** 7,000 hours with three holes. */
export async function generatedHours(into: string): Promise<CandleFile> {
  const last = Date.UTC(2024, 3, 21, 14)
  const rows = ['timestamp,open,high,low,close,volume']
  let state = 7
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  let close = 40_000
  let volatility = 0.005
  for (let i = 0; i < 7_003; i++) {
    const open = close
    volatility = 0.0005 + 0.9 * volatility + 0.0008 * uniform() * (uniform() < 0.1 ? 8 : 0.5)
    close = open * Math.exp(volatility * (uniform() + uniform() + uniform() - 1.5))
    const high = Math.max(open, close) * (1 + (volatility * uniform()) / 2)
    const low = Math.min(open, close) * (1 - (volatility * uniform()) / 2)
    if (i === 1_000 || i === 2_000 || i === 3_000) continue
    const row = [open, high, low, close, 100 * uniform()].map((value, column) => value.toFixed(column === 4 ? 5 : 2))
    rows.push([last - (7_002 - i) * HOUR_MS, ...row].join(','))
  }
  const path = join(into, 'BTCUSDT-1h.csv')
  await writeFile(path, `${rows.join('\n')}\n`)
  return { path, candles: 7_000, gaps: 3, last }
}
