import { AppError } from '@shapecast/contracts/errors'
import { RETRAIN_MODES, type Retraining, RetrainingDraft } from '@shapecast/contracts/retraining'
import type { Orm } from '@shapecast/platform/database/database'
import type { RetrainingService } from '@shapecast/trading/models/retraining/retraining-service'
import { type Command, Option } from 'commander'
import { idOf, versionOf, wholeNumber } from './arguments.ts'
import { memberOf } from './open.ts'
import { addOptions, symbol, timeframe } from './options.ts'
import { dateOf, print, printAs, table } from './output.ts'
import { withParts } from './with-parts.ts'

const withService = <T>(work: (service: RetrainingService, orm: Orm) => Promise<T>): Promise<T> =>
  withParts((parts) => work(parts.retraining(), parts.db.orm))

const whenOf = ({ everyDays, onDrift }: Retraining): string =>
  [everyDays !== null && `every ${everyDays} days`, onDrift && 'on drift'].filter(Boolean).join(', ')
const rowOf = (plan: Retraining): string[] => [
  `${plan.version} ${plan.symbol} ${plan.timeframe}`,
  whenOf(plan),
  plan.mode,
  dateOf(plan.lastAt),
  dateOf(plan.nextAt),
  plan.id,
  plan.error ?? '',
]

interface SetOptions {
  model: string
  symbol: string
  timeframe: string
  owner: string
  everyDays?: number
  onDrift?: true
  mode: string
}

export const addRetraining = (command: Command): void => {
  command
    .command('list')
    .description('which models are trained again by themselves, when, and what becomes of a better one')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: true }) => {
      const plans = await withService((service) => service.list({}))
      const head = ['model', 'when', 'mode', 'last', 'next', 'id', 'error']
      printAs(options.json, plans, () => table([head, ...plans.map(rowOf)], 'words'))
    })

  addOptions(command.command('set'), [symbol(), timeframe('1h')])
    .description('have a model trained again by itself; each training counts as a try of its owner')
    .requiredOption('--model <version>', 'the version', versionOf)
    .requiredOption('--owner <email>', 'whose trainings they are')
    .option('--every-days <days>', 'of the market, between two trainings', wholeNumber)
    .option('--on-drift', 'also once its live score is found worse')
    .addOption(
      new Option('--mode <mode>', 'a better model is offered, or predicts from then on')
        .choices(RETRAIN_MODES)
        .default('offer'),
    )
    .action(async ({ model, owner: email, everyDays, onDrift, ...rest }: SetOptions) => {
      const draft = RetrainingDraft.safeParse({
        ...rest,
        version: model,
        everyDays: everyDays ?? null,
        onDrift: onDrift ?? false,
      })
      if (!draft.success) {
        const { path, message } = draft.error.issues[0]!
        throw new AppError('bad_input', `${path.join('.')}: ${message}.`)
      }
      const plan = await withService(async (service, orm) => service.set(draft.data, await memberOf(orm, email)))
      const next = plan.nextAt === null ? '' : `, next on ${dateOf(plan.nextAt)}`
      print(`${plan.version} ${plan.symbol} ${plan.timeframe} is trained again ${whenOf(plan)}${next}.`)
    })

  command
    .command('end')
    .description('train a model no more by itself; what is being trained goes on')
    .argument('<id>', 'as list tells it')
    .requiredOption('--owner <email>', 'who ends it: a manager, or the owner of the model')
    .action(async (id: string, { owner }: { owner: string }) => {
      await withService(async (service, orm) => service.end(idOf(id), await memberOf(orm, owner)))
      print('It is not trained by itself any more.')
    })
}
