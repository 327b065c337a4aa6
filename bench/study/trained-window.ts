import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type ModelArtifactFile, packArtifact, unpackArtifact } from '@shapecast/ml/artifact/artifact'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { completeSettings, type GivenSettings } from '@shapecast/ml/recipe/settings'
import { trainModel } from '@shapecast/ml/train-model'
import type { StudyWindow } from './windows.ts'

/** Both fills of one trade at 6 bps fee and 5 bps slippage each. */
export const ROUND_TRIP_COST_BPS = 22

export const windowName = ({ coin, candles }: StudyWindow): string =>
  `${coin}-${new Date(candles.ts[candles.length - 400]!).toISOString().slice(0, 10)}`

function keptArtifact(path: string, { candles }: StudyWindow, settings: GivenSettings): ModelArtifactFile | null {
  if (!existsSync(path)) return null
  const artifact = unpackArtifact(readFileSync(path))
  const same =
    artifact.card.data.hash === candlesHash(candles) &&
    isDeepStrictEqual(artifact.card.settings, completeSettings(settings))
  return same ? artifact : null
}

/** The recipe's model of a window: trained, or read from `keep` where a run before left it there. */
export async function trainedWindow(
  window: StudyWindow,
  settings: GivenSettings,
  keep: string | undefined,
): Promise<ModelArtifactFile> {
  const path = keep === undefined ? null : join(keep, `${windowName(window)}.model`)
  const kept = path === null ? null : keptArtifact(path, window, settings)
  if (kept !== null) return kept
  const { artifact } = await trainModel({
    candles: window.candles,
    timeframe: '1h',
    settings,
    roundTripCostBps: ROUND_TRIP_COST_BPS,
    createdAtMs: 0,
    source: { venue: 'file', symbol: `${window.coin}USDT` },
  })
  if (path !== null) {
    mkdirSync(keep!, { recursive: true })
    writeFileSync(`${path}.part`, packArtifact(artifact))
    renameSync(`${path}.part`, path)
  }
  return artifact
}
