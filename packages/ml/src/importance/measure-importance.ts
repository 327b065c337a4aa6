import { AppError } from '@shapecast/contracts/errors'
import { FeatureGroup, GROUP_LABELS } from '@shapecast/contracts/features'
import type { FeatureImportance, GroupImportance, ImportanceItem, LossIncrease } from '@shapecast/contracts/importance'
import type { Candles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { varianceOfMean } from '../evaluate/diebold-mariano.ts'
import { judgeTogether } from '../evaluate/judge-together.ts'
import { twoSidedQuantile } from '../evaluate/student-t.ts'
import type { Beside } from '../forecast/beside-series.ts'
import type { Predictor } from '../forecast/predict.ts'
import type { Predictions } from '../forecast/predictions.ts'
import { takeApart } from '../forecast/take-apart.ts'
import type { InputColumns, TakenApart } from '../forecast/taken-apart.ts'
import type { ForeignModel } from '../foreign/foreign-model.ts'
import { blockLength, shuffledBlocks } from './shuffled-blocks.ts'

/**
 * The mean growth of a loss and its 95 % interval, which covers both that other shuffles would have come to something
 * else and that other outcomes would have: the errors of both, each at its Student's t, added in squares. With one shuffle
 * and all outcomes an input that the model leans on in vain would look important on these very candles.
 * @param before losses by outcome, in order of time
 * @param after the same with shuffled inputs, one list a repeat; at least two
 */
export function lossIncrease(before: Float64Array, after: readonly Float64Array[]): LossIncrease {
  const [outcomes, repeats] = [before.length, after.length]
  if (repeats < 2) throw new RangeError('An interval takes at least two repeats.')
  if (outcomes < 2) return { mean: 0, interval: [0, 0] }
  const means = after.map((losses) => losses.reduce((sum, loss, t) => sum + loss - before[t]!, 0) / outcomes)
  const mean = means.reduce((sum, value) => sum + value, 0) / repeats
  const spread = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (repeats - 1) / repeats
  const growth = before.map((loss, t) => after.reduce((sum, losses) => sum + (losses[t]! - loss) / repeats, 0))
  const chance = varianceOfMean(growth)
  const reach = Math.hypot(
    twoSidedQuantile(0.05, repeats - 1) * Math.sqrt(spread),
    twoSidedQuantile(0.05, chance.degrees) * Math.sqrt(chance.variance),
  )
  return { mean, interval: [mean - reach, mean + reach] }
}

/** Whether an interval lies above 0, below it, or holds it. */
const sideOf = ({ interval: [low, high] }: LossIncrease): 'worse' | 'better' | 'none' =>
  low > 0 ? 'worse' : high < 0 ? 'better' : 'none'

/** What both losses say of an input, as a sentence. */
export function importanceVerdict(pinball: LossIncrease, logLoss: LossIncrease): string {
  const sides = { fan: sideOf(pinball), direction: sideOf(logLoss) }
  const parts = (side: string): string =>
    Object.entries(sides)
      .filter(([, found]) => found === side)
      .map(([part]) => `the ${part}`)
      .join(' and ')
  const [needed, spoilt] = [parts('worse'), parts('better')]
  if (needed === '' && spoilt === '') return 'Indistinguishable from none.'
  return [
    needed === '' ? '' : `Matters for ${needed}.`,
    spoilt === '' ? '' : `Without it ${spoilt} would have been better here.`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

export interface ImportanceOptions {
  /** The same seed gives the same figures. */
  seed?: number
  /** Shuffles of each input, at least 2. */
  repeats?: number
  /** Heeded before each forecast: its reason is thrown. */
  signal?: AbortSignal | undefined
}

const REPEATS = 5
/** Fewer judged outcomes than these say nothing. */
const FEWEST_OUTCOMES = 100
const CAVEAT =
  'It says what this model uses on these candles, not what moves the market. Inputs that say nearly the same stand in for each other when one is shuffled, so look at the groups too; an input that hardly changed on these candles cannot show. Of twenty without influence about one stands out by chance.'

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The inputs with some of them shuffled, all by the same lots: value by value, `source` says where each comes from. */
function withShuffled({ inputs, rows }: TakenApart, columns: readonly string[], source: Int32Array): InputColumns {
  const shuffled = columns.map((name): [string, Float64Array] => {
    const column = inputs[name]!
    const moved = column.slice()
    rows.forEach((row, k) => {
      moved[row] = column[rows[source[k]!]!]!
    })
    return [name, moved]
  })
  return { ...inputs, ...Object.fromEntries(shuffled) }
}

/**
 * How much worse a model forecasts its hold-out when an input is shuffled there (Breiman, Machine Learning 45, 2001;
 * Fisher, Rudin and Dominici, JMLR 20, 2019, call it model reliance): mean growth of the pinball loss and of the log loss,
 * by input and by group of inputs. The model is left as it is; a block shuffle of the column breaks the tie of the input to
 * its candle and to the other inputs, and nothing else. Every input meets the same lots, so that figures can be compared.
 * Throws `too_few_candles` if there is too little to judge by.
 */
export async function measureImportance(
  apart: TakenApart,
  options: ImportanceOptions = {},
): Promise<FeatureImportance> {
  const { seed = 1, repeats = REPEATS, signal } = options
  const { candles, timeframeMs, signalHorizon, rows, lookedAt } = apart
  const forecast = (inputs: InputColumns): Promise<Predictions> => {
    signal?.throwIfAborted()
    return apart.forecastFrom(inputs)
  }
  const judge = (made: readonly Predictions[]) => judgeTogether(candles, timeframeMs, made, signalHorizon)
  const before = await forecast(apart.inputs)
  const { rows: judged, models } = judge([before])
  if (judged.length < FEWEST_OUTCOMES)
    throw new AppError(
      'too_few_candles',
      `What a model looks at is judged by at least ${FEWEST_OUTCOMES} outcomes; these candles give ${judged.length}.`,
    )
  const length = blockLength(rows.length, apart.lookback)
  const random = createRandom(seed)
  const sources = Array.from({ length: repeats }, () => shuffledBlocks(rows.length, length, random))

  const without = async (columns: readonly string[]) => {
    const made: Predictions[] = [before]
    for (const source of sources) made.push(await forecast(withShuffled(apart, columns, source)))
    const [own, ...shuffled] = judge(made).models
    const losses = (name: 'pinballBps' | 'logLoss') =>
      lossIncrease(
        own![name],
        shuffled.map((model) => model[name]),
      )
    const [pinballBps, logLoss] = [losses('pinballBps'), losses('logLoss')]
    return { pinballBps, logLoss, verdict: importanceVerdict(pinballBps, logLoss) }
  }

  const features: ImportanceItem[] = []
  for (const { name, label, group, columns } of lookedAt)
    features.push({ name, label, group, columns: [...columns], ...(await without(columns)) })
  const groups: GroupImportance[] = []
  for (const name of FeatureGroup.options) {
    const members = features.filter(({ group }) => group === name)
    const [first, ...others] = members
    if (first === undefined) continue
    const { pinballBps, logLoss, verdict } =
      others.length === 0 ? first : await without(members.flatMap(({ columns }) => columns))
    const found = { pinballBps, logLoss, verdict }
    groups.push({ name, label: GROUP_LABELS[name], members: members.map((member) => member.name), ...found })
  }
  const byFan = (a: ImportanceItem | GroupImportance, b: ImportanceItem | GroupImportance): number =>
    b.pinballBps.mean - a.pinballBps.mean || b.logLoss.mean - a.logLoss.mean
  return {
    features: features.sort(byFan),
    groups: groups.sort(byFan),
    baseline: { pinballBps: mean(models[0]!.pinballBps), logLoss: mean(models[0]!.logLoss) },
    horizon: signalHorizon,
    repeats,
    seed,
    outcomes: judged.length,
    from: candles.ts[judged[0]!]!,
    to: candles.ts[judged[judged.length - 1]!]!,
    blockCandles: length,
    caveat: apart.caveat === null ? CAVEAT : `${CAVEAT} ${apart.caveat}`,
  }
}

/**
 * What a model looks at, by shuffling its inputs on candles that it has not learnt from: the hold-out of an artifact of ours,
 * the newest 400 for one that was made elsewhere. `candles` are of its series and hold these and, best, as many before
 * as its `historyCandles`. Takes a few seconds of one processor. The same model, candles and seed give the same figures.
 * Throws `too_few_candles`, `unprocessable` where the model cannot be run, and the signal's reason where it is aborted.
 */
export async function permutationImportance(
  model: Predictor | ForeignModel,
  candles: Candles,
  { beside, ...options }: ImportanceOptions & { beside?: Beside } = {},
): Promise<FeatureImportance> {
  const apart = 'artifact' in model ? await takeApart(model.artifact, candles) : await model.takeApart(candles, beside)
  try {
    return await measureImportance(apart, options)
  } finally {
    await apart.close()
  }
}
