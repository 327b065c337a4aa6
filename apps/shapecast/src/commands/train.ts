import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { TrainParams } from '@shapecast/contracts/trainings'
import type { ArtifactRow } from '@shapecast/trading/models/artifact-rows'
import { trainHere } from '@shapecast/trading/models/train-here'
import { DEFAULT_CANDLES } from '@shapecast/trading/models/training-service'
import { type Command, Option } from 'commander'
import { decimal, namesOf, symbolOf, timeOf, versionOf, wholeNumber } from './arguments.ts'
import { dateOf, print, progressOf, table } from './output.ts'
import { type OpenedParts, withParts } from './with-parts.ts'

interface TrainOptions {
  symbol: string
  timeframe: Timeframe
  version: string
  limit?: number
  from?: number
  to?: number
  seed?: number
  epochs?: number
  lookback?: number
  signalHorizon?: number
  learningRate?: number
  lstmHidden?: number
  transformerWidth?: number
  transformerLayers?: number
  features?: string[]
  json?: true
}

export const addTrain = (command: Command): void => {
  command
    .requiredOption('--symbol <symbol>', 'the market, such as BTCUSDT', symbolOf)
    .addOption(new Option('--timeframe <timeframe>', 'how long one candle is').choices(TIMEFRAMES).default('1h'))
    .option('--version <version>', 'the version to train', versionOf, 'v3')
    .option('--limit <candles>', `the newest so many candles (${DEFAULT_CANDLES})`, wholeNumber)
    .option('--from <time>', 'from this time on, such as 2024-01-31', timeOf)
    .option('--to <time>', 'up to this time', timeOf)
    .option('--seed <number>', 'the same seed and candles give the same model', wholeNumber)
    .option('--epochs <number>', 'at most so many', wholeNumber)
    .option('--lookback <candles>', 'candles that a prediction looks at', wholeNumber)
    .option('--signal-horizon <candles>', 'candles ahead that the signal speaks of', wholeNumber)
    .option('--learning-rate <rate>', 'of Adam', decimal)
    .option('--lstm-hidden <units>', 'units of the LSTM, 8 to 128', wholeNumber)
    .option('--transformer-width <width>', 'width of the Transformer, 8 to 64, even', wholeNumber)
    .option('--transformer-layers <layers>', 'layers of the Transformer, 1 to 4', wholeNumber)
    .option('--features <names>', 'learn from these features only, such as return_1,rsi_14', namesOf)
    .option('--json', 'print the result as JSON')
    .action(async (options: TrainOptions) => {
      const artifact = await withParts((parts, signal) => train(parts, options, signal))
      const { id, hash, shown, comparison } = artifact
      if (options.json) print(JSON.stringify({ id, hash, ...shown, comparison }, null, 2))
      else print(textOf(options, artifact))
    })
}

/** Trains in this process; where the same is under way already, follows that to its end. */
async function train(parts: OpenedParts, options: TrainOptions, signal: AbortSignal): Promise<ArtifactRow> {
  const { version, symbol, timeframe, limit, from, to } = options
  const { db, jobs, market, log, now, models } = parts
  const { training, modelStore } = models()
  const bar = progressOf(`training ${version} on ${symbol} ${timeframe}`)
  try {
    const id = await trainHere(
      { db, jobs, candles: market, work: training, log, now },
      { version, symbol, timeframe, limit, from, to, params: TrainParams.strip().parse(options) },
      signal,
      ({ current, total, phase, epoch, validationLoss, secondsLeft }) => {
        const detail = [
          phase,
          epoch === null ? null : `epoch ${epoch}`,
          validationLoss === null ? null : `loss ${validationLoss.toFixed(4)}`,
          secondsLeft === null ? null : `${Math.ceil(secondsLeft)} s left`,
        ]
        bar.show(current / Math.max(1, total), detail.filter((part) => part !== null).join(', '))
      },
    )
    return (await modelStore.artifact(id))!
  } finally {
    bar.end()
  }
}

const percent = (ratio: number) => `${(100 * ratio).toFixed(1)}%`

function textOf({ version, symbol, timeframe }: TrainOptions, { hash, shown, comparison }: ArtifactRow): string {
  const { accuracy } = shown
  const rows = [
    ['seen (training and validation)', `up to ${dateOf(shown.holdoutFrom)}`],
    ['judged on', `${dateOf(shown.holdoutFrom)} to ${dateOf(shown.holdoutTo)}, never seen`],
    [
      'accuracy',
      `${percent(accuracy.accuracy)} (${percent(accuracy.interval[0])} to ${percent(accuracy.interval[1])})`,
    ],
    ['always the same direction', percent(accuracy.majorityBaseline)],
    ['always a reversal', percent(accuracy.reversalBaseline)],
    ['seed', String(shown.seed)],
    ['hash', hash],
  ]
  return `${version} is trained on ${symbol} ${timeframe}.\n${table(rows, 'words')}\n${accuracy.verdict}${comparison === null ? '' : `\n${comparison.verdict}`}`
}
