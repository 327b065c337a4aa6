import { AppError } from '@shapecast/contracts/errors'
import { TrainParams } from '@shapecast/contracts/trainings'
import { z } from 'zod'
import type { ArtifactHead } from './artifact-rows.ts'
import type { ModelStore } from './model-store.ts'

/** What a model is trained with again: its own settings, and as many candles. */
const Trained = z.object({ settings: z.record(z.string(), z.unknown()), data: z.object({ candles: z.number().int() }) })

/** How the artifact that predicts a series was trained. */
export interface Recipe extends Pick<ArtifactHead, 'id' | 'version' | 'shown'> {
  readonly params: TrainParams
  /** Candles that it was trained on. */
  readonly candles: number
}

/** The settings of a card as a training takes them. Throws `unprocessable` for a model that was not trained here. */
function trainedWith(card: unknown): Pick<Recipe, 'params' | 'candles'> {
  const read = Trained.safeParse(card)
  const known = Object.keys(TrainParams.shape)
  const params = TrainParams.safeParse(
    Object.fromEntries(
      Object.entries(read.data?.settings ?? {}).filter(([name, value]) => known.includes(name) && value !== null),
    ),
  )
  if (!read.success || !params.success)
    throw new AppError('unprocessable', 'Its card does not say how it was trained, so it cannot be trained again here.')
  return { params: params.data, candles: read.data.data.candles }
}

/** Throws `model_not_trained` for a version that does not predict the series, `unprocessable` for an upload. */
export async function recipeOf(
  models: Pick<ModelStore, 'active' | 'cardsOf'>,
  version: string,
  symbol: string,
  timeframe: string,
): Promise<Recipe> {
  const active = await models.active(version, symbol, timeframe)
  if (active === undefined)
    throw new AppError('model_not_trained', `${version} does not predict ${symbol} ${timeframe}: train it there first.`)
  const { id, origin, shown } = active
  const card = origin === 'uploaded' ? null : (await models.cardsOf([id])).get(id)
  return { id, version, shown, ...trainedWith(card) }
}
