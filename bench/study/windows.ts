import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Candles, candlesFromRows, sliceCandles } from '@shapecast/engine/candles'

/** Candles of one window: what a model is trained on, the newest 400 of them its hold-out. */
export const WINDOW_CANDLES = 5000

export interface Series {
  coin: string
  file: string
  windows: number
  /** Candles left out at the newest end, and between the ends of two windows; hold-outs (400) never overlap. */
  skip: number
  stride: number
}

/** Sixteen windows of BTC (2018 to 2024) and eleven each of ETH and SOL (2022 to 2024). */
export const SERIES: readonly Series[] = [
  { coin: 'BTC', file: 'BTCUSDT-1h-2017-2024.csv', windows: 16, skip: 1200, stride: 3300 },
  { coin: 'ETH', file: 'ETHUSDT-1h.csv', windows: 11, skip: 600, stride: 1500 },
  { coin: 'SOL', file: 'SOLUSDT-1h.csv', windows: 11, skip: 600, stride: 1500 },
]

export interface StudyWindow {
  coin: string
  candles: Candles
}

/** The folder of candle files: SHAPECAST_DATA, or `shared/data` beside the project. */
export const dataFolder = (): string =>
  process.env.SHAPECAST_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))

function readCandles(file: string): Candles {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  return candlesFromRows(lines.map((line) => line.split(',').map(Number)))
}

/** Every window of the study, oldest first within a coin. Throws where a file is missing. */
export function studyWindows(folder: string): StudyWindow[] {
  return SERIES.flatMap(({ coin, file, windows, skip, stride }) => {
    const path = join(folder, file)
    if (!existsSync(path)) throw new Error(`${path} is missing; set SHAPECAST_DATA to the folder of the candle files.`)
    const all = readCandles(path)
    return Array.from({ length: windows }, (_, k) => {
      const end = all.length - skip - (windows - 1 - k) * stride
      return { coin, candles: sliceCandles(all, end - WINDOW_CANDLES, end) }
    })
  })
}
