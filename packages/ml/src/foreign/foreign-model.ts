import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { inputComplaint } from '@shapecast/contracts/input-complaint'
import type { Candles } from '@shapecast/engine/candles'
import type { Beside } from '../forecast/beside-series.ts'
import { predictInChunks } from '../forecast/predict-in-chunks.ts'
import { historyCandles } from '../forecast/predict-range.ts'
import type { Predictions } from '../forecast/predictions.ts'
import type { TakenApart } from '../forecast/taken-apart.ts'
import { KEPT_AT_MOST, KeptOutputs } from '../runtime/kept-outputs.ts'
import { checkOnnxFile } from './check-file.ts'
import { ForeignCard } from './foreign-card.ts'
import { predictForeign } from './foreign-forecast.ts'
import type { OnnxInfo } from './onnx-reader.ts'
import { probe } from './probe.ts'
import { restingSandbox } from './resting-sandbox.ts'
import { DEFAULT_LIMITS, openSandbox, type Sandbox, type SandboxLimits } from './sandbox.ts'
import { takeApartForeign } from './take-apart-foreign.ts'
import { withoutZipMaps } from './without-zip-maps.ts'

export interface ForeignOptions {
  roundTripCostBps: number
  limits?: SandboxLimits
  /** Of the series that it is for: it is tried out on their windows; on noise where there are none. */
  candles?: Candles
  /** Of the other series that its card names, where candles are given. */
  beside?: Beside
  /** What opens the process; `openSandbox` where none is given. */
  open?: typeof openSandbox
}

/** A model that was made elsewhere, ready to forecast; the counterpart of a Predictor. */
export interface ForeignModel {
  readonly card: ForeignCard
  readonly info: OnnxInfo
  /** SHA-256 over the card and the file. */
  readonly hash: string
  readonly historyCandles: number
  /** As a Predictor's. Throws `unprocessable` where the file takes longer or more memory than it may. */
  predict(candles: Candles, range?: { from: number; to: number }, beside?: Beside): Promise<Predictions>
  /** Ready to be asked what it would say of other inputs, over the newest 400 of these candles. */
  takeApart(candles: Candles, beside?: Beside): Promise<TakenApart>
  /** Calls `over` with the ms once its process has used so much more processor time; returns what calls that off. */
  limit(limitMs: number, over: (tookMs: number) => void): () => void
  /** Ends its process. */
  close(): void
}

/** Without a forecast for so long it gives its process up; starting another takes a fraction of a second. */
const IDLE_MS = 2 * 60_000

/** A card from JSON. Throws `bad_input` that names the field. */
export function parseForeignCard(json: unknown): ForeignCard {
  const parsed = ForeignCard.safeParse(json, { error: inputComplaint })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const field = ['card', ...issue.path].join('.')
  throw new AppError('bad_input', `The model's card does not fit: ${issue.message}.`, { field })
}

/** A card from the bytes of a JSON file. Throws `bad_input` where it is none; what it says is yet to be parsed. */
export function readForeignCard(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new AppError('bad_input', "The model's card is not a JSON file.", { field: 'card', cause: error })
  }
}

const hashOf = (onnx: Uint8Array, card: ForeignCard): string =>
  createHash('sha256').update(JSON.stringify(card)).update('\n').update(onnx).digest('hex')

/** Asks the process only of windows that it was not asked of lately. */
function keeping(sandbox: Sandbox): Pick<Sandbox, 'run'> {
  const kept = new KeptOutputs()
  return {
    run(windows, shape) {
      const [count, lookback, inputs] = shape
      // Those of a backtest come once; a closed one says so.
      if (count > KEPT_AT_MOST || !sandbox.alive) return sandbox.run(windows, shape)
      const size = lookback * inputs
      const each = Array.from({ length: count }, (_, k) => windows.subarray(k * size, (k + 1) * size))
      return kept.of(each, (unknown) => {
        const asked = new Float32Array(unknown.length * size)
        for (const [at, k] of unknown.entries()) asked.set(each[k]!, at * size)
        return sandbox.run(asked, [unknown.length, lookback, inputs])
      })
    },
  }
}

/**
 * Checks an uploaded ONNX file against its card, loads it in a process of its own and tries it out. The file is refused
 * with the reason: `bad_input` for the card, `payload_too_large`, or `unprocessable` for operators, inputs, outputs, time
 * or memory. `close` it when done; where its process was ended, or rests, the next prediction starts another.
 */
export async function openForeignModel(
  onnx: Uint8Array,
  cardJson: unknown,
  options: ForeignOptions,
): Promise<ForeignModel> {
  const card = parseForeignCard(cardJson)
  const info = checkOnnxFile(onnx, card)
  const runnable = withoutZipMaps(onnx, info)
  const open = (): Promise<Sandbox> =>
    (options.open ?? openSandbox)(runnable, options.limits ?? DEFAULT_LIMITS, undefined, info.ports)
  const first = await open()
  try {
    await probe(first, card, options.candles, options.beside)
  } catch (error) {
    first.close()
    throw error
  }
  const sandbox = restingSandbox(first, open, IDLE_MS)
  const live = keeping(sandbox)
  const history = historyCandles(card)
  const reading = { card, roundTripCostBps: options.roundTripCostBps }
  return {
    card,
    info,
    hash: hashOf(onnx, card),
    historyCandles: history,
    predict: (candles: Candles, range?: { from: number; to: number }, beside: Beside = {}) =>
      predictInChunks(candles, history, (chunk, from) => predictForeign(live, reading, chunk, from, beside), range),
    limit: sandbox.limit,
    takeApart: (candles, beside = {}) => takeApartForeign(sandbox, reading, candles, beside),
    close: (): void => sandbox.close(),
  }
}
