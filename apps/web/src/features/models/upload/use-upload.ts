import { ApiError } from '@shapecast/contracts/client'
import { ModelVersion } from '@shapecast/contracts/ml'
import { LARGEST_ONNX_BYTES, LARGEST_ONNX_BYTES_OF_MANAGERS, uploadModel } from '@shapecast/contracts/uploads'
import { useState } from 'react'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import { type ReadCard, readCard, sortFiles, versionOfFileName } from './card-words.ts'

/** Where the reason of a refusal stands. */
type Place = 'onnx' | 'card' | 'version' | 'symbol'

const OF_SERIES = ['unknown_symbol', 'no_candles', 'too_few_candles']

/** The field that an error is about; null where it is about none. */
export function placeOf(error: unknown): Place | null {
  if (!(error instanceof ApiError)) return null
  const field = error.field?.split('.')[0]
  if (field === 'onnx' || field === 'card' || field === 'version' || field === 'symbol') return field
  return OF_SERIES.includes(error.code) ? 'symbol' : null
}

/** The files and fields of an upload, what is wrong with them, and the result. */
export function useUpload(firstSymbol: string | undefined) {
  const [onnx, setOnnx] = useState<File | null>(null)
  const [card, setCard] = useState<{ file: File; read: ReadCard } | null>(null)
  const [wrongKind, setWrongKind] = useState<string | null>(null)
  const [chosenVersion, setVersion] = useState('')
  const [chosenSymbol, setSymbol] = useState<string | null>(null)
  const mutation = useEndpointMutation(uploadModel)
  const symbol = chosenSymbol ?? firstSymbol ?? ''
  const version = ModelVersion.safeParse(chosenVersion)
  const place = placeOf(mutation.error)
  const refusal = (of: Place): string | undefined =>
    place === of ? errorInFull(mutation.error, 'It could not be uploaded.') : undefined
  const largestMb = (useIsManager() ? LARGEST_ONNX_BYTES_OF_MANAGERS : LARGEST_ONNX_BYTES) / 2 ** 20
  const isTooLarge = onnx !== null && onnx.size > largestMb * 2 ** 20
  const parsed = card === null || 'error' in card.read ? null : card.read.card

  const change = (): void => {
    mutation.reset()
    setWrongKind(null)
  }
  const take = async (files: readonly File[]): Promise<void> => {
    change()
    const sorted = sortFiles(files)
    if (sorted.onnx === undefined && sorted.card === undefined)
      setWrongKind(`${files[0]?.name ?? 'This'} is neither an .onnx nor a .json file.`)
    if (sorted.onnx !== undefined) {
      setOnnx(sorted.onnx)
      if (chosenVersion === '') setVersion(versionOfFileName(sorted.onnx.name))
    }
    if (sorted.card !== undefined) setCard({ file: sorted.card, read: readCard(await sorted.card.text()) })
  }
  const missing = (): string | undefined => {
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
    version: chosenVersion,
    symbol,
    take,
    setVersion: (next: string) => {
      change()
      setVersion(next)
    },
    setSymbol: (next: string) => {
      change()
      setSymbol(next)
    },
    errors: {
      onnx: isTooLarge ? `The ONNX file is larger than ${largestMb} MB.` : (refusal('onnx') ?? wrongKind ?? undefined),
      card: card !== null && 'error' in card.read ? card.read.error : refusal('card'),
      version:
        chosenVersion !== '' && !version.success
          ? 'Up to 40 letters, digits, dots, dashes and underscores'
          : refusal('version'),
      symbol: refusal('symbol'),
    },
    /** Why it cannot be sent yet. */
    missing: isTooLarge ? 'The file is too large' : missing(),
    isPending: mutation.isPending,
    /** What is about no field. */
    failure: mutation.isError && place === null ? mutation.error : null,
    result: mutation.data,
    dismiss: change,
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
