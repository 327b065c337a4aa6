import type { Command } from 'commander'

export interface ListedCommand {
  readonly name: string
  /** As the help writes them; the command itself declares them. */
  readonly words: string
  readonly about: string
  /** Gives the command its arguments, options and action. */
  load(): Promise<(command: Command) => void>
}

/** Every command, in the order of the help. None is loaded before it is asked for. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'start',
    words: '',
    about: 'start the product, as npm start does',
    load: async () => {
      const { runServer } = await import('../server/run-server.ts')
      return (command) => command.action(runServer)
    },
  },
  {
    name: 'import',
    words: '[options] <file...>',
    about: 'import files of candles (CSV, .gz, .zip; the dialect is recognised); works while the server runs',
    load: async () => (await import('./import.ts')).addImport,
  },
  {
    name: 'download',
    words: '[options] <symbol...>',
    about: 'fetch history from the exchange that MARKET names; run again, it goes on where it stopped',
    load: async () => (await import('./download.ts')).addDownload,
  },
  {
    name: 'export',
    words: '[options] <file>',
    about:
      'write stored candles to a CSV file that import reads again (.gz compresses it, - is standard output), or to a .parquet file',
    load: async () => (await import('./export.ts')).addExport,
  },
  {
    name: 'train',
    words: '[options]',
    about: 'train a model version on stored candles, here and now, and store it',
    load: async () => (await import('./train.ts')).addTrain,
  },
  {
    name: 'backtest',
    words: '[options]',
    about: 'backtest a bot, a model alone or a rule, on stored candles; prints the result and stores nothing',
    load: async () => (await import('./backtest.ts')).addBacktest,
  },
  {
    name: 'search',
    words: '[options]',
    about:
      'try many settings of a rule, a policy or the model signal, and say how much of the best is luck; stores nothing',
    load: async () => (await import('./search.ts')).addSearch,
  },
  {
    name: 'walk-forward',
    words: '[options]',
    about: 'choose the settings of a rule or a policy before each stretch of candles and trade it; stores nothing',
    load: async () => (await import('./walk-forward.ts')).addWalkForward,
  },
  {
    name: 'batch',
    words: '[options]',
    about:
      'run a rule, a model or a bot on several symbols and timeframes, and say how much of the best is luck; stores nothing',
    load: async () => (await import('./batch.ts')).addBatch,
  },
  {
    name: 'rule',
    words: '[options] <file>',
    about: 'check a rule, and print it as text or as blocks',
    load: async () => (await import('./rule.ts')).addRule,
  },
  {
    name: 'rules',
    words: '<command>',
    about: 'list, show and save stored rules; backtest, search, walk-forward and batch take one by its name',
    load: async () => (await import('./rules.ts')).addRules,
  },
  {
    name: 'retraining',
    words: '<command>',
    about: 'list, set and end what is trained again by itself, by the calendar or on drift',
    load: async () => (await import('./retraining.ts')).addRetraining,
  },
  {
    name: 'trials',
    words: '[options] <email>',
    about: 'how much somebody tried on each series: the best of many looks good by luck alone',
    load: async () => (await import('./trials.ts')).addTrials,
  },
  {
    name: 'grant',
    words: '<role> <email>',
    about: "set a user's role; anyone who is signed in as that user has to sign in again",
    load: async () => (await import('./users.ts')).addGrant,
  },
  {
    name: 'users',
    words: '<command>',
    about: 'list accounts, disable and enable them, make reset codes and invitations, say who may register',
    load: async () => (await import('./users.ts')).addUsers,
  },
  {
    name: 'verify-record',
    words: '[options]',
    about: 'recompute the chain of sealed predictions and their outcomes and find what was edited, deleted or cut off',
    load: async () => (await import('./verify-record.ts')).addVerifyRecord,
  },
  {
    name: 'doctor',
    words: '[options]',
    about: 'look at the machine, the database, the market and the model runtime, and say what to do',
    load: async () => (await import('./doctor.ts')).addDoctor,
  },
]
