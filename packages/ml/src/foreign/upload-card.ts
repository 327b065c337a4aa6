import { Evaluation } from '@shapecast/contracts/evaluation'
import { besideOf } from '@shapecast/contracts/foreign-card'
import { TIMEFRAME_MS, Timeframe } from '@shapecast/contracts/timeframes'
import type { HoldoutSeen, UploadFacts } from '@shapecast/contracts/uploaded-model'
import { z } from 'zod'
import type { ModelTraits, SeenCandles } from '../forecast/model-traits.ts'
import { BarrierReport, barrierWords } from './barriers.ts'
import { ForeignCard, inputNames, learntFrom } from './foreign-card.ts'

/** An uploaded model as it was taken: what it declares, what was found in its file, and how it fared here. */
export const UploadCard = z.object({
  format: z.literal('shapecast-upload'),
  formatVersion: z.literal(1),
  createdAtMs: z.number(),
  source: z.object({ venue: z.string(), symbol: z.string(), timeframe: Timeframe }),
  declared: ForeignCard,
  file: z.object({
    bytes: z.number().int(),
    /** SHA-256 of the ONNX file. */
    sha256: z.string(),
    opset: z.number().int(),
    producer: z.string(),
    nodes: z.number().int(),
  }),
  /** The candles that it was judged with, the newest at its upload. */
  data: z.object({ candles: z.number().int(), from: z.number(), to: z.number(), hash: z.string() }),
  /** Open times in ms of the first and last candle at whose close a judged forecast is made. */
  holdout: z.object({ from: z.number(), to: z.number(), rows: z.number().int() }),
  climatology: z.number(),
  roundTripCostBps: z.number(),
  evaluation: Evaluation,
  /** By its own label; absent where that is the direction. */
  barriers: BarrierReport.optional(),
})
export type UploadCard = z.infer<typeof UploadCard>

/** What an upload may have learnt from: what its author says with the outcomes ahead, or everything until it came. */
export function seenByUpload({ declared, data }: Pick<UploadCard, 'declared' | 'data'>): SeenCandles {
  const { horizons, timeframe } = declared
  const learnt = learntFrom(declared)
  const reach = horizons * TIMEFRAME_MS[timeframe]
  if (learnt === undefined) return { from: 0, to: data.to + reach, basis: 'unknown' }
  return { from: learnt.from, to: learnt.to + reach, basis: 'declared' }
}

/** Whether its hold-out is among what it has learnt from. The outcome of the last judged candle lies after it. */
export function holdoutSeen({
  declared,
  data,
  holdout,
}: Pick<UploadCard, 'declared' | 'data' | 'holdout'>): HoldoutSeen {
  const { from, to, basis } = seenByUpload({ declared, data })
  if (basis === 'unknown') return 'unknown'
  return to > holdout.from && from <= holdout.to + TIMEFRAME_MS[declared.timeframe] ? 'yes' : 'no'
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** In words, what is known of whether an upload's figures are of candles that it has learnt from. */
export function seenWords(card: Pick<UploadCard, 'declared' | 'data' | 'holdout'>): string {
  const { trained, corpusUntil } = card.declared
  if (learntFrom(card.declared) === undefined)
    return 'Nobody here knows what it has seen: its figures may be of candles that it has learnt from.'
  const from = trained && `it was trained on the candles from ${utc(trained.from)} to ${utc(trained.to)}`
  const corpus =
    corpusUntil !== undefined && `its corpus reaches until ${utc(corpusUntil)}, so that all before counts as seen`
  const said = `Its author says that ${[from, corpus].filter(Boolean).join(', and that ')}`
  return holdoutSeen(card) === 'yes'
    ? `${said}. It is judged here on candles that are among them or whose outcomes are: its figures say nothing of its skill.`
    : `${said}, none of which it is judged on here. Nobody here can check that.`
}

/** What people are told of an upload: its author's words, and what it may have seen. */
export const uploadFacts = (card: UploadCard): Omit<UploadFacts, 'uploadedBy'> => ({
  name: card.declared.name,
  author: card.declared.author || null,
  description: card.declared.description || null,
  trained: card.declared.trained ?? null,
  corpusUntil: card.declared.corpusUntil ?? null,
  holdoutSeen: holdoutSeen(card),
  seenWords: seenWords(card),
  ownLabel:
    card.declared.tripleBarrier && card.barriers ? barrierWords(card.declared.tripleBarrier, card.barriers) : null,
  lookback: card.declared.lookback,
  inputs: inputNames(card.declared),
  beside: besideOf(card.declared),
  output: card.declared.output,
  quantileUnit: card.declared.quantileUnit,
  bytes: card.file.bytes,
  opset: card.file.opset,
  producer: card.file.producer,
  nodes: card.file.nodes,
})

/** What is asked of every model, of an upload. */
export function traitsOfUpload(card: UploadCard): ModelTraits {
  const { declared } = card
  const seen = seenByUpload(card)
  return {
    timeframe: declared.timeframe,
    horizons: declared.horizons,
    lookback: declared.lookback,
    beside: besideOf(declared),
    signalHorizon: declared.signalHorizon,
    askedThreshold: declared.signalThreshold,
    roundTripCostBps: card.roundTripCostBps,
    climatology: card.climatology,
    seen,
    unseenFrom: seen.to + 1,
    evaluation: card.evaluation,
  }
}
