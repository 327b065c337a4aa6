import { CANDLE_COLUMNS, ForeignModelCard } from '@shapecast/contracts/foreign-card'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { z } from 'zod'
import { featureNames } from '../features/feature-columns.ts'

/** The columns that a card's model is given, by name. */
export const inputNames = (card: { inputs: 'ours' | readonly { name: string }[]; timeframe: Timeframe }): string[] =>
  card.inputs === 'ours' ? featureNames(card.timeframe) : card.inputs.map(({ name }) => name)

/** Open times in ms between which a card's model has learnt, as its author says; undefined where nothing is said. */
export const learntFrom = ({
  trained,
  corpusUntil,
}: Pick<ForeignModelCard, 'trained' | 'corpusUntil'>): { from: number; to: number } | undefined =>
  corpusUntil === undefined ? trained : { from: 0, to: Math.max(corpusUntil, trained?.to ?? 0) }

/** A card whose inputs are known. */
export const ForeignCard = ForeignModelCard.superRefine((card, context) => {
  const known = new Set<string>([...featureNames(card.timeframe), ...CANDLE_COLUMNS])
  const unknown = inputNames(card).filter((name) => !known.has(name))
  if (unknown.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['inputs'],
      message: `There is no input named ${unknown.join(', ')} on ${card.timeframe}. Known are ${[...known].join(', ')}`,
    })
})
export type ForeignCard = z.infer<typeof ForeignCard>
