import { SettingsError } from '@shapecast/platform/settings'
import { VERSION } from '@shapecast/platform/version'
import { Command, CommanderError } from 'commander'
import { ZodError } from 'zod'
import { addBacktest } from './commands/backtest.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDownload } from './commands/download.ts'
import { addExport } from './commands/export.ts'
import { addGrant } from './commands/grant.ts'
import { addImport } from './commands/import.ts'
import { FAILED, note, WRONG_USAGE } from './commands/output.ts'
import { addTrain } from './commands/train.ts'
import { addVerifyRecord } from './commands/verify-record.ts'
import { errorText } from './error-text.ts'
import { runServer } from './run-server.ts'

const program = new Command('shapecast')
  .description('Train, judge, backtest and trade machine-learned crypto price predictions.')
  .version(VERSION)
  // `train --version v3` names a model's version; the program's own stands before the command.
  .enablePositionalOptions()
  .exitOverride()
  .showHelpAfterError('(--help says more)')
  .addHelpText('after', '\nSettings come from the environment and .env: docs/operations.md lists them.')

program.command('start').description('start the product, as npm start does').action(runServer)
for (const add of [addImport, addDownload, addExport, addTrain, addBacktest, addGrant, addVerifyRecord, addDoctor])
  add(program)
// Subcommands do not inherit it.
for (const command of program.commands) command.exitOverride().showHelpAfterError('(--help says more)')

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = codeOf(error)
}

/** Commander has already said what it had to say. */
function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  note(errorText(error))
  return error instanceof SettingsError || error instanceof ZodError ? WRONG_USAGE : FAILED
}
