import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { artifactHash, packArtifact, unpackArtifact } from '../artifact/artifact.ts'
import { canonicalJson, sha256 } from '../artifact/packed-files.ts'
import { type TrainedModel, type TrainModelInput, trainModel } from '../train-model.ts'
import { generateCandles } from './generated-candles.ts'

const FOLDER = join(import.meta.dirname, 'models')

/** What most models of these tests are trained on. */
export const SMALL_TRAINING = {
  candles: generateCandles({ candles: 1600, seed: 91 }),
  timeframe: '1h',
  settings: { epochs: 1, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 16 },
  roundTripCostBps: 22,
  createdAtMs: 0,
  source: { venue: 'generated', symbol: 'TESTUSDT' },
} as const satisfies TrainModelInput

/** The file of what a training was given. Closes count to nine digits, since other processors may round the last ones otherwise. */
function fileOf({ candles, timeframe, settings, roundTripCostBps, createdAtMs, source }: TrainModelInput): string {
  const closes = Array.from(candles.close, (price) => price.toPrecision(9))
  const given = { closes, from: candles.ts[0], timeframe, settings, roundTripCostBps, createdAtMs, source }
  return join(FOLDER, `${sha256(new TextEncoder().encode(canonicalJson(given))).slice(0, 16)}.gz`)
}

/**
 * What `trainModel` gave when it was asked with `STORE_MODELS=1`, for tests that need a model but not its training.
 * Throws where it was never asked for these candles and settings.
 */
export async function storedModel(input: TrainModelInput): Promise<TrainedModel> {
  const file = fileOf(input)
  if (process.env.STORE_MODELS === '1') {
    const { artifact } = await trainModel(input)
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, gzipSync(packArtifact(artifact), { level: 9 }))
  }
  if (!existsSync(file))
    throw new Error('No model of these candles and settings is stored: run this with STORE_MODELS=1.')
  const artifact = unpackArtifact(gunzipSync(readFileSync(file)))
  return { artifact, hash: artifactHash(artifact) }
}
