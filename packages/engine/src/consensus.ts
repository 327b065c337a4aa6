import type { ConsensusConfig } from '@shapecast/contracts/bots'
import type { Signal } from '@shapecast/contracts/ml'
import { DECISION, decisionOfSignal, signalOfDecision } from './decisions.ts'

/** What one model says at a close; confidence is a ratio, 0–1. */
export interface Vote {
  readonly signal: Signal
  readonly confidence: number
}

/** Which rule made the decision; `no_votes` where no model had anything to say. */
export type ConsensusRule =
  | ConsensusConfig['strategy']
  | 'disagreement_hold'
  | 'disagreement_skip'
  | 'disagreement_highest_confidence'
  | 'disagreement_tie'
  | 'no_votes'

export interface Consensus {
  readonly signal: Signal
  /** Mean of the votes for the signal, or the one vote that decided; 0 where the votes decided nothing. */
  readonly confidence: number
  readonly rule: ConsensusRule
  /** False where the decision is to be recorded as not acted on (`skip`, and no votes). */
  readonly acted: boolean
}

/** One decision out of the votes of 2–5 models, by the rules of docs/backtest.md. The order of votes is irrelevant. */
export function reachConsensus(votes: readonly Vote[], config: ConsensusConfig): Consensus {
  const tally = new Tally()
  for (const vote of votes) tally.add(decisionOfSignal(vote.signal), vote.confidence)
  const rule = tally.settle(config)
  return {
    signal: signalOfDecision(tally.decision),
    confidence: tally.confidence,
    rule,
    acted: rule !== 'disagreement_skip' && rule !== 'no_votes',
  }
}

/** Signals of one model per candle: codes −1, 0, 1, and confidences 0–1; NaN where the model says nothing. */
export interface ModelVotes {
  readonly signals: Int8Array
  readonly confidences: Float32Array | Float64Array
}

/** `reachConsensus` for each candle: decision codes, and confidences as it defines them. */
export function consensusColumns(
  models: readonly ModelVotes[],
  config: ConsensusConfig,
): { decisions: Int8Array; confidences: Float64Array } {
  const length = models[0]?.signals.length ?? 0
  for (const { signals, confidences } of models)
    if (signals.length !== length || confidences.length !== length)
      throw new RangeError(`Every model votes once a candle: ${length} votes are needed.`)
  const decisions = new Int8Array(length)
  const confidences = new Float64Array(length)
  const tally = new Tally()
  for (let i = 0; i < length; i++) {
    tally.clear()
    for (const model of models) tally.add(model.signals[i]!, model.confidences[i]!)
    tally.settle(config)
    decisions[i] = tally.decision
    confidences[i] = tally.confidence
  }
  return { decisions, confidences }
}

const SELL = 0
const HOLD = 1
const BUY = 2
/** Confidences are summed as whole numbers: sums of those do not depend on the order. */
const UNITS = 1e9

/** The votes of one candle by signal: how many, their summed confidence, the most confident one. */
class Tally {
  readonly counts = [0, 0, 0]
  readonly weights = [0, 0, 0]
  readonly highest = [-1, -1, -1]
  decision: number = DECISION.HOLD
  confidence = 0

  clear(): void {
    for (let k = 0; k < 3; k++) {
      this.counts[k] = 0
      this.weights[k] = 0
      this.highest[k] = -1
    }
  }

  add(signal: number, confidence: number): void {
    if (Number.isNaN(confidence)) return
    const k = signal + 1
    const units = Math.round(confidence * UNITS)
    this.counts[k] = this.counts[k]! + 1
    this.weights[k] = this.weights[k]! + units
    this.highest[k] = Math.max(this.highest[k]!, units)
  }

  /** Sets decision and confidence, and says which rule decided. */
  settle(config: ConsensusConfig): ConsensusRule {
    const total = this.counts[SELL]! + this.counts[HOLD]! + this.counts[BUY]!
    if (total === 0) return this.undecided('no_votes')
    const winner = this.winner(config, total)
    if (winner >= 0) {
      this.decision = winner - 1
      this.confidence =
        config.strategy === 'confidence_threshold'
          ? this.highest[winner]! / UNITS
          : this.weights[winner]! / this.counts[winner]! / UNITS
      return config.strategy
    }
    if (config.onDisagreement === 'hold') return this.undecided('disagreement_hold')
    if (config.onDisagreement === 'skip') return this.undecided('disagreement_skip')
    const surest = aheadOfOthers(this.highest)
    if (surest < 0) return this.undecided('disagreement_tie')
    this.decision = surest - 1
    this.confidence = this.highest[surest]! / UNITS
    return 'disagreement_highest_confidence'
  }

  private undecided(rule: ConsensusRule): ConsensusRule {
    this.decision = DECISION.HOLD
    this.confidence = 0
    return rule
  }

  /** The signal that the strategy settles on, or −1. */
  private winner({ strategy, minAgreement, minConfidence }: ConsensusConfig, total: number): number {
    const { counts, weights, highest } = this
    switch (strategy) {
      case 'unanimous':
        return counts.indexOf(total)
      case 'majority': {
        const most = aheadOfOthers(counts)
        return most >= 0 && counts[most]! >= minAgreement ? most : -1
      }
      case 'weighted': {
        const heaviest = aheadOfOthers(weights)
        const all = weights[SELL]! + weights[HOLD]! + weights[BUY]!
        return heaviest >= 0 && weights[heaviest]! >= minConfidence * all ? heaviest : -1
      }
      case 'confidence_threshold': {
        const surest = aheadOfOthers(highest)
        return surest >= 0 && highest[surest]! >= Math.round(minConfidence * UNITS) ? surest : -1
      }
      default:
        return strategy satisfies never
    }
  }
}

/** The index of the largest of three values where it is larger than both others; else −1. */
function aheadOfOthers(values: readonly number[]): number {
  const [a, b, c] = values as [number, number, number]
  if (a > b && a > c) return 0
  if (b > a && b > c) return 1
  return c > a && c > b ? 2 : -1
}
