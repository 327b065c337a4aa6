import type { Timeframe } from '@shapecast/contracts/timeframes'
import { TrainParams } from '@shapecast/contracts/trainings'
import type { ArtifactRow } from '@shapecast/trading/models/artifact-rows'
import { trainHere } from '@shapecast/trading/models/train-here'
import { DEFAULT_CANDLES } from '@shapecast/trading/models/training-service'
import type { Command } from 'commander'
import { decimal, namesOf, versionOf, wholeNumber } from './arguments.ts'
import { addOptions, range, symbol, timeframe } from './options.ts'
import { dateOf, printAs, table } from './output.ts'
import { withProgress } from './with-parts.ts'

interface TrainOptions {
  symbol: string
  timeframe: Timeframe
  version: string
  limit?: number
  from?: number
  to?: number
  json?: true
  [parameter: string]: unknown
}

export const addTrain = (command: Command): void => {
  addOptions(command, [symbol(), timeframe('1h'), ...range()])
    .option('--version <version>', 'the version to train', versionOf, 'v3')
    .option('--limit <candles>', `the newest so many candles (${DEFAULT_CANDLES})`, wholeNumber)
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
      const artifact = await train(options)
      const { id, hash, shown, comparison } = artifact
      printAs(options.json, { id, hash, ...shown, comparison }, () => textOf(options, artifact))
    })
}

/** Trains in this process; where the same is under way already, follows that to its end. */
const train = (options: TrainOptions): Promise<ArtifactRow> => {
  const { version, symbol, timeframe, limit, from, to } = options
  return withProgress(`training ${version} on ${symbol} ${timeframe}`, async (parts, signal, bar) => {
    const { db, jobs, market, log, now, models } = parts
    const { training, modelStore } = models()
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
  })
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
