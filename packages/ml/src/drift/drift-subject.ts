import type { Evaluation } from '@shapecast/contracts/evaluation'
import { besideOfInput } from '@shapecast/contracts/foreign-card'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ModelCard } from '../artifact/card.ts'
import { type ForeignCard, inputNames } from '../foreign/foreign-card.ts'
import { holdoutSeen, UploadCard } from '../foreign/upload-card.ts'

/** What drift is looked for in: an artifact of whatever origin, by its stored card. */
export interface DriftSubject {
  timeframe: Timeframe
  /** What it looks at, by name. */
  inputs: string[]
  /** Open times in ms of the first and last candle that it was fitted to; null where nobody said. */
  trained: { from: number; to: number } | null
  /** Open time in ms of the first candle whose features are worked out for it. */
  dataFrom: number
  signalHorizon: number
  /** Null where its hold-out may be of candles that it has learnt from. */
  evaluation: Evaluation | null
}

/** Of its own series: what it looks at in others is not watched. */
const ownInputs = ({ inputs, timeframe }: ForeignCard): ForeignCard['inputs'] =>
  inputs === 'ours' ? inputs : inputs.filter((input) => besideOfInput(input, timeframe) === null)

/** Reads a stored card; null where it is of a kind that is not known here. */
export function driftSubject(card: unknown): DriftSubject | null {
  const own = ModelCard.safeParse(card)
  if (own.success) {
    const { source, features, ranges, settings, data, evaluation } = own.data
    return {
      timeframe: source.timeframe,
      inputs: features.names,
      trained: { from: ranges.train.from, to: ranges.validation.to },
      dataFrom: data.from,
      signalHorizon: settings.signalHorizon,
      evaluation,
    }
  }
  const upload = UploadCard.safeParse(card)
  if (!upload.success) return null
  const { declared, evaluation } = upload.data
  return {
    timeframe: declared.timeframe,
    inputs: inputNames({ ...declared, inputs: ownInputs(declared) }),
    trained: declared.trained ?? null,
    dataFrom: declared.trained?.from ?? 0,
    signalHorizon: declared.signalHorizon,
    evaluation: holdoutSeen(upload.data) === 'no' ? evaluation : null,
  }
}
