import { z } from 'zod'
import { BesideSeries, ForeignOutput } from './foreign-card.ts'
import { epochMs } from './units.ts'

/** Who made an artifact: this installation, or somebody elsewhere who uploaded it. */
export const ModelOrigin = z.enum(['trained', 'uploaded'])
export type ModelOrigin = z.infer<typeof ModelOrigin>

/**
 * Whether an uploaded model has learnt from the candles that it is judged on: as its author says, or unknown.
 */
export const HoldoutSeen = z.enum(['no', 'yes', 'unknown'])
export type HoldoutSeen = z.infer<typeof HoldoutSeen>

/** What an uploaded model says of itself, and what was found in its file. */
export const UploadFacts = z.object({
  name: z.string(),
  author: z.string().nullable(),
  /** The account that uploaded it. */
  uploadedBy: z.uuid().nullable(),
  description: z.string().nullable(),
  /** Open times in ms of the first and last candle that it has learnt from, by its author's word; null where that is not said. */
  trained: z.object({ from: epochMs(), to: epochMs() }).nullable(),
  /** Until when its corpus reaches, ms, by its author's word; null where that is not said. */
  corpusUntil: z.number().nullable(),
  holdoutSeen: HoldoutSeen,
  /** The same in words. */
  seenWords: z.string(),
  /** How it did by the label that it was trained on, in words; null where that is the direction. */
  ownLabel: z.string().nullable(),
  lookback: z.number().int(),
  /** Columns of a window, in their order. */
  inputs: z.array(z.string()),
  /** Other series that it looks at: their candles must be stored too. */
  beside: z.array(BesideSeries),
  output: ForeignOutput,
  quantileUnit: z.enum(['log_return', 'sigma']),
  bytes: z.number().int(),
  opset: z.number().int(),
  /** The program that wrote the file, as the file says; empty where it does not. */
  producer: z.string(),
  nodes: z.number().int(),
})
export type UploadFacts = z.infer<typeof UploadFacts>
