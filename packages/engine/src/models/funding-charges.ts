import type { Ratio } from '@shapecast/contracts/units'
import { fundingReceived } from './funding.ts'

/** A stretch in which a futures position stood as it was: the position before what filled at `untilMs`. */
export interface HeldStretch {
  /** Left out: who enters at a settlement does not take part in it. */
  readonly fromMs: number
  /** Included: the position before the fills of that moment pays. */
  readonly untilMs: number
  /** In base; below 0 short. */
  readonly size: number
}

export interface FundingRecord {
  readonly timeMs: number
  /** Share of the notional that a long pays to a short. */
  readonly rate: Ratio
  /** Quote per base; null where the venue gave none. */
  readonly mark: number | null
}

/** What is known of a contract's funding: its records, and ranges (ends included) that have all of them. */
export interface FundingHistory {
  readonly records: readonly FundingRecord[]
  readonly known: readonly { readonly fromMs: number; readonly untilMs: number }[]
  /** The price at a settlement without a mark of its own: the mark-price candle's open, else the candle's; quote per base. */
  openAt(timeMs: number): number
}

export interface FundingCharge {
  readonly timeMs: number
  /** Quote; below 0 paid. */
  readonly received: number
  readonly isAssumed: boolean
}

export interface FundingCharges {
  /** By time. */
  readonly charges: readonly FundingCharge[]
  readonly received: number
  /** The share of the held time whose rates are not known. */
  readonly assumedRatio: Ratio
  /** Whether so little was assumed that a net result may be judged. */
  readonly mayBeJudged: boolean
}

const MINUTE_MS = 60_000
/** Settlements of most contracts: 00, 08 and 16 UTC. */
const USUAL_STEP_MS = 8 * 3_600_000
/** What either side pays where the rate is not known; nobody receives it. */
const ASSUMED_RATE: Ratio = 0.0001
const MOST_ASSUMED: Ratio = 0.05

/** Venues stamp settlements some milliseconds late. */
const toMinute = (timeMs: number): number => Math.round(timeMs / MINUTE_MS) * MINUTE_MS

const isHeldAt = ({ fromMs, untilMs }: HeldStretch, timeMs: number): boolean => fromMs < timeMs && timeMs <= untilMs

/** Settlements of a stretch at their own times, where their rates are known. */
function knownCharges(held: HeldStretch, { records, openAt }: FundingHistory): FundingCharge[] {
  return records.flatMap(({ timeMs: stampedMs, rate, mark }) => {
    const timeMs = toMinute(stampedMs)
    if (!isHeldAt(held, timeMs)) return []
    return [{ timeMs, received: fundingReceived(held.size, mark ?? openAt(timeMs), rate), isAssumed: false }]
  })
}

/** Settlements at the usual times that lie in no known range. */
function assumedCharges(held: HeldStretch, { known, openAt }: FundingHistory): FundingCharge[] {
  const charges: FundingCharge[] = []
  const first = Math.floor(held.fromMs / USUAL_STEP_MS + 1) * USUAL_STEP_MS
  for (let timeMs = first; timeMs <= held.untilMs; timeMs += USUAL_STEP_MS) {
    if (known.some(({ fromMs, untilMs }) => fromMs <= timeMs && timeMs <= untilMs)) continue
    const received = -Math.abs(held.size) * openAt(timeMs) * ASSUMED_RATE
    charges.push({ timeMs, received, isAssumed: true })
  }
  return charges
}

const knownMs = ({ fromMs, untilMs }: HeldStretch, { known }: FundingHistory): number =>
  known.reduce((sum, range) => sum + Math.max(0, Math.min(untilMs, range.untilMs) - Math.max(fromMs, range.fromMs)), 0)

/**
 * What the positions of a contract pay and receive at the settlements of its history: size × mark × rate, a long paying a
 * positive rate. Where rates are not known, 0.0001 of the notional at 00, 08 and 16 UTC is charged to either side.
 *
 * @param stretches one after the other.
 * @param history its records within its known ranges, which do not overlap.
 * @public
 */
export function chargeFunding(stretches: readonly HeldStretch[], history: FundingHistory): FundingCharges {
  const held = stretches.filter(({ size }) => size !== 0)
  const charges = held
    .flatMap((stretch) => [...knownCharges(stretch, history), ...assumedCharges(stretch, history)])
    .sort((a, b) => a.timeMs - b.timeMs)
  const heldMs = held.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0)
  const unknownMs = heldMs - held.reduce((sum, stretch) => sum + knownMs(stretch, history), 0)
  const assumedRatio = heldMs === 0 ? 0 : unknownMs / heldMs
  return {
    charges,
    received: charges.reduce((sum, { received }) => sum + received, 0),
    assumedRatio,
    mayBeJudged: assumedRatio <= MOST_ASSUMED,
  }
}
