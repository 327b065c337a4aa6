import type { LeakCheck } from '@shapecast/contracts/leak-audit'
import type { Candles } from '@shapecast/engine/candles'
import type { Random } from '@shapecast/engine/random'
import { rankCorrelation } from '../evaluate/correlation.ts'
import { directionsByLot } from './altered-candles.ts'
import type { AuditedPipeline, RetrainedForecasts } from './audited-pipeline.ts'

/** Standard errors above chance that count as skill: a model without any gets there once in 740 comparisons. */
const SKILL = 3

interface Judged {
  hits: number
  outcomes: number
  accuracy: number
  /** Standard errors that accuracy lies above ½. */
  directionZ: number
  /** Standard errors that the rank correlation of the expected move with the size of the outcome lies above 0. */
  sizeZ: number
}

/** Log return over the horizon after each candle, from the candles alone; NaN where one is missing in between. */
function returnsAhead({ ts, close, length }: Candles, horizon: number, timeframeMs: number): Float64Array {
  return Float64Array.from({ length }, (_, i) =>
    i + horizon < length && ts[i + horizon] === ts[i]! + horizon * timeframeMs
      ? Math.log(close[i + horizon]! / close[i]!)
      : Number.NaN,
  )
}

/** @param overlap how many neighbouring outcomes share candles: so many count as one */
function judge(forecasts: RetrainedForecasts, outcome: (i: number) => number, overlap: number): Judged {
  const known = [...forecasts.rows.keys()].filter((k) => {
    const r = outcome(forecasts.rows[k]!)
    return !Number.isNaN(r + forecasts.pUp[k]! + forecasts.expectedMove[k]!) && r !== 0
  })
  const outcomes = known.length
  const hits = known.filter((k) => forecasts.pUp[k]! > 0.5 === outcome(forecasts.rows[k]!) > 0).length
  const sizes = Float64Array.from(known, (k) => Math.abs(outcome(forecasts.rows[k]!)))
  const expected = Float64Array.from(known, (k) => forecasts.expectedMove[k]!)
  const accuracy = outcomes === 0 ? 0.5 : hits / outcomes
  const effective = outcomes / overlap
  return {
    hits,
    outcomes,
    accuracy,
    directionZ: 2 * (accuracy - 0.5) * Math.sqrt(effective),
    sizeZ: rankCorrelation(expected, sizes) * Math.sqrt(Math.max(0, effective - 1)),
  }
}

/** `2.1 standard errors above`, `0.4 standard errors below`. */
const errors = (z: number): string => `${Math.abs(z).toFixed(1)} standard errors ${z < 0 ? 'below' : 'above'}`

const said = ({ accuracy, hits, outcomes, directionZ }: Judged): string =>
  `${(100 * accuracy).toFixed(1)}% right (${hits} of ${outcomes}, ${errors(directionZ)} chance)`

/**
 * Trained on a market whose directions were drawn by lot, a pipeline must find the outcome that its inputs end with (so
 * that one sees that it can learn) and neither its own nor the one after.
 */
async function shiftedLabels(pipeline: AuditedPipeline, byLot: Candles): Promise<LeakCheck> {
  const { signalHorizon: h, timeframeMs } = pipeline
  const returns = returnsAhead(byLot, h, timeframeMs)
  const shifted = async (shift: number): Promise<Judged> => {
    const outcomeOf = Int32Array.from(returns, (_, i) => (i + shift >= 0 && i + shift < byLot.length ? i + shift : -1))
    const forecasts = await pipeline.retrain!(byLot, outcomeOf)
    return judge(forecasts, (i) => returns[i + shift] ?? Number.NaN, h)
  }
  const known = await shifted(-h)
  const own = await shifted(0)
  const later = await shifted(h)
  const awake = known.directionZ > SKILL
  const silent = own.directionZ <= SKILL && later.directionZ <= SKILL
  return {
    name: 'Labels shifted, directions drawn by lot',
    passed: awake && silent,
    ...(silent && !awake ? { inconclusive: true } : {}),
    detail: `Taught what is already known: ${said(known)}${awake ? '' : ', too little to notice a leak'}. Its own outcome: ${said(own)}. The one after: ${said(later)}.`,
  }
}

/** Taught outcomes of other candles, by lot, a pipeline must know neither the direction nor the size of what comes. */
async function shuffledTarget(pipeline: AuditedPipeline, candles: Candles, random: Random): Promise<LeakCheck> {
  const returns = returnsAhead(candles, pipeline.signalHorizon, pipeline.timeframeMs)
  const known = [...returns.keys()].filter((i) => !Number.isNaN(returns[i]!))
  const lots = known.slice()
  for (let k = lots.length - 1; k > 0; k--) {
    const j = random.below(k + 1)
    const lot = lots[k]!
    lots[k] = lots[j]!
    lots[j] = lot
  }
  const outcomeOf = new Int32Array(candles.length).fill(-1)
  known.forEach((i, k) => {
    outcomeOf[i] = lots[k]!
  })
  const forecasts = await pipeline.retrain!(candles, outcomeOf)
  const judged = judge(forecasts, (i) => returns[outcomeOf[i]!] ?? Number.NaN, 1)
  return {
    name: 'Target shuffled',
    passed: judged.directionZ <= SKILL && judged.sizeZ <= SKILL,
    detail: `Direction: ${said(judged)}. Size of the move: rank correlation ${errors(judged.sizeZ)} none.`,
  }
}

/** `byLot` has no direction to find. */
async function checkOnce(pipeline: AuditedPipeline, candles: Candles, random: Random): Promise<LeakCheck[]> {
  const byLot = directionsByLot(candles, random)
  return [await shiftedLabels(pipeline, byLot), await shuffledTarget(pipeline, byLot, random)]
}

/**
 * The checks that train the pipeline anew: four small trainings. Where one speaks, all are made again with other lots, and
 * it counts where it speaks again: chance does so in one audit of about 70,000 (two checks of two comparisons, each once in
 * 740), a leak every time.
 */
export async function checkSkill(pipeline: AuditedPipeline, candles: Candles, random: Random): Promise<LeakCheck[]> {
  const first = await checkOnce(pipeline, candles, random)
  if (first.every(({ passed }) => passed)) return first
  const again = await checkOnce(pipeline, candles, random)
  return first.map((check, k) =>
    check.passed ? check : { ...again[k]!, detail: `${again[k]!.detail} Made twice; the first time: ${check.detail}` },
  )
}
