import { ApiError } from '@shapecast/contracts/client'
import { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { inputComplaint } from '@shapecast/contracts/input-complaint'
import { ModelVersion } from '@shapecast/contracts/ml'
import {
  LARGEST_CARD_BYTES,
  LARGEST_ONNX_BYTES,
  LARGEST_ONNX_BYTES_OF_MANAGERS,
  uploadModel,
} from '@shapecast/contracts/uploads'
import { useState } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useIsManager } from '#wire/session/auth-context.ts'

/** Where the reason of a refusal stands. */
const PLACES = ['onnx', 'card', 'version', 'symbol'] as const
type Place = (typeof PLACES)[number]

const OF_SERIES = ['unknown_symbol', 'no_candles', 'too_few_candles']

/** The field that an error is about; null where it is about none. */
export function placeOf(error: unknown): Place | null {
  if (!(error instanceof ApiError)) return null
  const field = error.field?.split('.')[0]
  return PLACES.find((place) => place === field) ?? (OF_SERIES.includes(error.code) ? 'symbol' : null)
}

interface Typed {
  readonly onnx: File | null
  readonly card: { readonly file: File; readonly read: ReadCard } | null
  readonly wrongKind?: string | undefined
  readonly version: string
  readonly symbol?: string
}

/** The files and fields of an upload, what is wrong with them, and the result. */
export function useUpload(firstSymbol = '') {
  const [typed, setTyped] = useState<Typed>({ onnx: null, card: null, version: '' })
  const mutation = useEndpointMutation(uploadModel)
  const { onnx, card, symbol = firstSymbol } = typed
  const version = ModelVersion.safeParse(typed.version)
  const place = placeOf(mutation.error)
  const refusal = (of: Place): string | undefined =>
    place === of ? errorInFull(mutation.error, 'It could not be uploaded.') : undefined
  const largestMb = (useIsManager() ? LARGEST_ONNX_BYTES_OF_MANAGERS : LARGEST_ONNX_BYTES) / 2 ** 20
  const isTooLarge = onnx !== null && onnx.size > largestMb * 2 ** 20
  const parsed = card === null || 'error' in card.read ? null : card.read.card

  const change = (next: Partial<Typed> = {}): void => {
    mutation.reset()
    setTyped((before) => ({ ...before, wrongKind: undefined, ...next }))
  }
  const take = async (files: readonly File[]): Promise<void> => {
    const { onnx: network, card: file } = sortFiles(files)
    if (network === undefined && file === undefined)
      change({ wrongKind: `${files[0]?.name ?? 'This'} is neither an .onnx nor a .json file.` })
    if (network !== undefined) change({ onnx: network, version: typed.version || versionOfFileName(network.name) })
    if (file !== undefined) change({ card: { file, read: readCard(await file.text()) } })
  }
  const missing = (): string | undefined => {
    if (isTooLarge) return 'The file is too large'
    if (onnx === null) return 'Choose an ONNX file first'
    if (parsed === null) return card === null ? 'Choose its card first' : 'The card does not fit'
    if (!version.success) return 'Name the version first'
    return symbol === '' ? 'Choose a symbol first' : undefined
  }

  return {
    largestMb,
    onnx,
    cardFile: card?.file ?? null,
    card: parsed,
    version: typed.version,
    symbol,
    take,
    change,
    errors: {
      onnx: isTooLarge ? `The ONNX file is larger than ${largestMb} MB.` : (refusal('onnx') ?? typed.wrongKind),
      card: card !== null && 'error' in card.read ? card.read.error : refusal('card'),
      version:
        typed.version !== '' && !version.success
          ? 'Up to 40 letters, digits, dots, dashes and underscores'
          : refusal('version'),
      symbol: refusal('symbol'),
    },
    /** Why it cannot be sent yet. */
    missing: missing(),
    isPending: mutation.isPending,
    /** What is about no field. */
    failure: mutation.isError && place === null ? mutation.error : null,
    result: mutation.data,
    send: (): void => {
      if (onnx === null || card === null || !version.success) return
      const form = new FormData()
      // The card first, so that a wrong one is told before the network is sent.
      form.append('card', card.file)
      form.append('onnx', onnx)
      mutation.mutate({ params: { id: version.data }, query: { symbol }, form })
    },
  }
}

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
  if (output === 'fan') return { label: 'Quantiles', value: `${formatPercentList(quantiles)} ${UNITS[quantileUnit]}` }
  const what = output === 'classes' ? 'P(up) alone' : `the expected return, ${UNITS[quantileUnit]}`
  return { label: 'Says', value: `${what}; its range is our volatility's` }
}

const formatPercentList = (levels: readonly number[]): string =>
  levels.length > 9
    ? `${levels.length} levels,`
    : `${levels.map((level) => Number((100 * level).toFixed(2))).join(', ')} %,`

/** What a card says, in words, line by line. */
export function cardLines(card: ForeignModelCard): CardLine[] {
  const { inputs, clip, lookback, timeframe, tripleBarrier } = card
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
    ...(tripleBarrier === undefined ? [] : [{ label: 'Its label', value: barrierWords(tripleBarrier) }]),
    trainedLine(card),
  ]
}

const barrierWords = ({ upSigma, downSigma, candles }: NonNullable<ForeignModelCard['tripleBarrier']>): string =>
  `+${upSigma} σ before −${downSigma} σ within ${formatCounted(candles, 'candle')}`

function trainedLine({ corpusUntil, trained }: ForeignModelCard): CardLine {
  if (corpusUntil !== undefined)
    return { label: 'Has seen', value: `everything until ${formatDateTimeYear(corpusUntil)}` }
  if (trained !== undefined) return { label: 'Trained on', value: formatDateRange(trained.from, trained.to) }
  const value = 'not told: its figures may be of candles that it has learnt from'
  return { label: 'Trained on', value, isWarning: true }
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
