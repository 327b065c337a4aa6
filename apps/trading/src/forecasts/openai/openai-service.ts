import type { Signal } from '@shapecast/contracts/ml'
import { OPENAI_CALLS_A_DAY, type OpenaiUse } from '@shapecast/contracts/openai'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { decisionOfSignal } from '@shapecast/engine/decisions'
import type { OpenaiSettings } from '@shapecast/platform/settings'
import { type AskModel, type Failure, openModel } from './ask-model.ts'
import type { CallStore } from './call-store.ts'
import { messagesOf, type Situation } from './prompt.ts'

/** What a language model says at a close, ready to be a bot's vote. HOLD with the reason where it says nothing. */
export interface OpenaiVote {
  readonly signal: Signal
  /** 0–1; 0 if there is no answer. */
  readonly confidence: number
  /** For people to read: bots have their own stops. */
  readonly stopLoss: number | null
  readonly reasoning: string
  /** Null where the model answered. */
  readonly failure: 'no_key' | 'limit' | Failure | null
}

export interface DecisionQuestion extends Situation {
  readonly botId: string
  readonly callsADay?: number | undefined
}

export interface OpenaiServiceDeps {
  store: CallStore
  /** Null: no key is set. */
  server: { model: string; ask: AskModel; usdPerMillion: { input: number; output: number } | null } | null
  now(): number
}

/** Votes of a language model for bots: asked once a candle, counted, kept. */
export const createOpenaiService = ({ store, server, now }: OpenaiServiceDeps) => ({
  /**
   * Asks for a decision at the close of one candle; an answer that is kept for it is given again. Takes up to 45 s and
   * writes to the database: call it outside of a transaction. Throws only where the database does.
   */
  async askForDecision(question: DecisionQuestion): Promise<OpenaiVote> {
    if (server === null) return held('no_key', 'OPENAI_API_KEY is not set on this installation.')
    const { botId, symbol, timeframe, candles, i, callsADay: limit = OPENAI_CALLS_A_DAY } = question
    const candle = { botId, symbol, timeframe, candleTs: candles.ts[i]! }
    const booked = await store.book(candle, { model: server.model, limit, nowMs: now() })
    if (booked === 'limit')
      return held('limit', `The limit of ${limit} calls a day is reached; it starts again at 00:00 UTC.`)
    if (booked !== 'booked')
      return {
        signal: booked.signal!,
        confidence: booked.confidence!,
        stopLoss: booked.stopLoss,
        reasoning: booked.reasoning!,
        failure: null,
      }
    const { decision, failure, status, inputTokens, outputTokens } = await server.ask(messagesOf(question))
    const prices = server.usdPerMillion
    const spent = {
      inputTokens,
      outputTokens,
      costUsd: prices === null ? null : (inputTokens * prices.input + outputTokens * prices.output) / 1e6,
    }
    if (decision === null) {
      const vote = held(failure!, wordsOf(failure!, status))
      await store.end(candle, { outcome: failure!, ...NO_ANSWER, reasoning: vote.reasoning, ...spent })
      return vote
    }
    const price = candles.close[i]!
    const vote = {
      signal: decision.signal,
      confidence: decision.confidence,
      stopLoss: stopOnItsSide(decision, price),
      reasoning: plainText(decision.reasoning),
    }
    await store.end(candle, { outcome: 'answered', ...vote, ...spent })
    return { ...vote, failure: null }
  },

  /**
   * Votes that were kept for the candles of a run, as columns: codes of DECISION, HOLD with confidence NaN where nothing
   * was kept.
   */
  async keptVotes(botId: string, symbol: string, timeframe: Timeframe, run: Candles) {
    const signals = new Int8Array(run.length)
    const confidences = new Float64Array(run.length).fill(Number.NaN)
    if (run.length === 0) return { signals, confidences, known: 0 }
    const kept = await store.answers(botId, symbol, timeframe, run.ts[0]!, run.ts[run.length - 1]!)
    const byTime = new Map(kept.map((row) => [row.ts, row]))
    for (let i = 0; i < run.length; i++) {
      const row = byTime.get(run.ts[i]!)
      if (row === undefined) continue
      signals[i] = decisionOfSignal(row.signal!)
      confidences[i] = row.confidence!
    }
    return { signals, confidences, known: kept.length }
  },

  /** Whether any decision of a bot was kept. */
  hasKeptVotes: (botId: string): Promise<boolean> => store.hasAnswers(botId),

  /** What a bot's calls came to. */
  async use(botId: string, callsADay: number = OPENAI_CALLS_A_DAY): Promise<OpenaiUse> {
    return {
      configured: server !== null,
      model: server?.model ?? null,
      limitADay: callsADay,
      ...(await store.use(botId, now())),
    }
  },
})
export type OpenaiService = ReturnType<typeof createOpenaiService>

const NO_ANSWER = { signal: null, confidence: null, stopLoss: null }

const held = (failure: NonNullable<OpenaiVote['failure']>, reasoning: string): OpenaiVote => ({
  signal: 'HOLD',
  confidence: 0,
  stopLoss: null,
  reasoning,
  failure,
})

function wordsOf(failure: Failure, status: number | null): string {
  switch (failure) {
    case 'refused':
      return 'The language model refused to answer.'
    case 'bad_output':
      return 'The answer of the language model was not of the form that was asked for.'
    case 'timed_out':
      return 'The language model did not answer in time.'
    case 'unreachable':
      return status === null
        ? 'The server of the language model could not be reached.'
        : `The server of the language model answered ${status}: it is overloaded or out of order.`
    case 'rejected':
      return `The server of the language model answered ${status}: check OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.`
    default:
      return failure satisfies never
  }
}

/** The stop of a call, where it lies on the losing side of the price; else none. */
function stopOnItsSide({ signal, stopLoss }: { signal: Signal; stopLoss: number | null }, price: number) {
  if (stopLoss === null || signal === 'HOLD') return null
  return (signal === 'BUY' ? stopLoss < price : stopLoss > price) ? stopLoss : null
}

const MOST_REASONING = 500

/** In one line, without anything invisible, and not too long. */
const plainText = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MOST_REASONING)
    .replace(/[\uD800-\uDBFF]$/, '')

const DEFAULT_MODEL = 'gpt-4o-mini'

/** The server of the settings; null without a key. The library is loaded with the first question. */
export function serverOf({ apiKey, baseUrl, model, usdPerMillion }: OpenaiSettings): OpenaiServiceDeps['server'] {
  if (apiKey === null) return null
  const named = model ?? DEFAULT_MODEL
  let opened: Promise<AskModel> | undefined
  const ask: AskModel = async (messages) => {
    opened ??= openModel({ apiKey, baseUrl, model: named })
    return (await opened)(messages)
  }
  return { model: named, ask, usdPerMillion }
}
