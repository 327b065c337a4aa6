import { CANDLE_COLUMNS, ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { z } from 'zod'
import { featureNames } from '../features/feature-columns.ts'

type Input = Exclude<ForeignModelCard['inputs'], 'ours'>[number]

/** The columns that a card's model is given, by name; of other series with their coin and timeframe before it. */
export const inputNames = (card: { inputs: 'ours' | readonly Input[]; timeframe: Timeframe }): string[] =>
  card.inputs === 'ours'
    ? featureNames(card.timeframe)
    : card.inputs.map(({ symbol, timeframe, name }) => [symbol, timeframe, name].filter(Boolean).join(' '))

const MOST_OTHER_SERIES = 3

/** Open times in ms between which a card's model has learnt, as its author says; undefined where nothing is said. */
export const learntFrom = ({
  trained,
  corpusUntil,
}: Pick<ForeignModelCard, 'trained' | 'corpusUntil'>): { from: number; to: number } | undefined =>
  corpusUntil === undefined ? trained : { from: 0, to: Math.max(corpusUntil, trained?.to ?? 0) }

/** A card whose inputs are known. */
export const ForeignCard = ForeignModelCard.superRefine((card, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', path: ['inputs'], message })
  if (card.inputs === 'ours') return
  for (const { name, timeframe = card.timeframe } of card.inputs) {
    const known: string[] = [...featureNames(timeframe), ...CANDLE_COLUMNS]
    if (!known.includes(name))
      complain(`There is no input named ${name} on ${timeframe}. Known are ${known.join(', ')}`)
    if (TIMEFRAME_MS[timeframe] < TIMEFRAME_MS[card.timeframe])
      complain(`An input of ${timeframe} is of a smaller timeframe than the model's ${card.timeframe}`)
  }
  const others = new Set(card.inputs.map(({ symbol, timeframe }) => `${symbol} ${timeframe ?? card.timeframe}`))
  others.delete(`undefined ${card.timeframe}`)
  if (others.size > MOST_OTHER_SERIES)
    complain(`It looks at ${others.size} other series; ${MOST_OTHER_SERIES} are taken`)
})
export type ForeignCard = z.infer<typeof ForeignCard>
