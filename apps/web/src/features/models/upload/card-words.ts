import { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { inputComplaint } from '@shapecast/contracts/input-complaint'
import { LARGEST_CARD_BYTES } from '@shapecast/contracts/uploads'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'

export type ReadCard = { readonly card: ForeignModelCard } | { readonly error: string }

/** A card from the text of its file; where it does not fit, the field and what is wrong. The server checks the inputs' names. */
export function readCard(text: string): ReadCard {
  if (text.length > LARGEST_CARD_BYTES) return { error: 'The card is larger than 64 KB.' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { error: 'This is not a JSON file.' }
  }
  const parsed = ForeignModelCard.safeParse(json, { error: inputComplaint })
  if (parsed.success) return { card: parsed.data }
  return { error: `The card does not fit: ${parsed.error.issues[0]!.message}.` }
}

export interface CardLine {
  readonly label: string
  readonly value: string
  /** Amber: what makes its figures say less. */
  readonly isWarning?: boolean
}

const candles = (count: number): string => (count === 1 ? 'next candle' : `${count} candles ahead`)

const UNITS = { sigma: 'in volatilities (σ √h)', log_return: 'in log returns' } as const

/** What its file gives, and where the range comes from. */
function saysLine({ output, quantiles, quantileUnit }: ForeignModelCard): CardLine {
  if (output === 'fan')
    return {
      label: 'Quantiles',
      value: `${formatPercentList(quantiles)} ${UNITS[quantileUnit]}`,
    }
  const what = output === 'classes' ? 'P(up) alone' : `the expected return, ${UNITS[quantileUnit]}`
  return { label: 'Says', value: `${what}; its range is our volatility's` }
}

const formatPercentList = (levels: readonly number[]): string =>
  levels.length > 9
    ? `${levels.length} levels,`
    : `${levels.map((level) => Number((100 * level).toFixed(2))).join(', ')} %,`

/** What a card says, in words, line by line. */
export function cardLines(card: ForeignModelCard): CardLine[] {
  const { inputs, clip, lookback, timeframe, trained, corpusUntil, tripleBarrier } = card
  const names =
    inputs === 'ours'
      ? 'all of our features, unscaled'
      : inputs.map(({ symbol, timeframe, name }) => [symbol, timeframe, name].filter(Boolean).join(' ')).join(', ')
  return [
    { label: 'Name', value: card.author ? `${card.name}, by ${card.author}` : card.name },
    { label: 'Sees', value: `${formatCounted(lookback, 'candle')} of ${timeframe}` },
    {
      label: inputs === 'ours' ? 'Inputs' : formatCounted(inputs.length, 'input'),
      value: clip === null ? names : `${names}, clipped at ± ${clip}`,
    },
    saysLine(card),
    { label: 'Signal', value: `${candles(card.signalHorizon)}, P(up) ½ ± ${card.signalThreshold}` },
    ...(tripleBarrier === undefined
      ? []
      : [
          {
            label: 'Its label',
            value: `+${tripleBarrier.upSigma} σ before −${tripleBarrier.downSigma} σ within ${formatCounted(tripleBarrier.candles, 'candle')}`,
          },
        ]),
    corpusUntil !== undefined
      ? { label: 'Has seen', value: `everything until ${formatDateTimeYear(corpusUntil)}` }
      : trained === undefined
        ? {
            label: 'Trained on',
            value: 'not told: its figures may be of candles that it has learnt from',
            isWarning: true,
          }
        : { label: 'Trained on', value: formatDateRange(trained.from, trained.to) },
  ]
}

/** A version's name out of a file's: `my net (2).onnx` → `my-net-2`; empty where nothing is left. */
export const versionOfFileName = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 40)

/** Files by their names: the network, and its card. */
export const sortFiles = (files: readonly File[]): { onnx: File | undefined; card: File | undefined } => ({
  onnx: files.find(({ name }) => /\.onnx$/i.test(name)),
  card: files.find(({ name }) => /\.json$/i.test(name)),
})

/** A card to fill in. */
export const CARD_TEMPLATE = {
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'My model',
  author: '',
  description: '',
  timeframe: '1h',
  lookback: 30,
  inputs: [
    { name: 'return_1', mean: 0, sd: 1 },
    { name: 'log_sigma', mean: -5, sd: 0.5 },
    { name: 'close', mean: 60_000, sd: 10_000 },
  ],
  clip: 5,
  quantileUnit: 'sigma',
  signalHorizon: 1,
  signalThreshold: 0.02,
  trained: { from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 11, 31) },
} as const
