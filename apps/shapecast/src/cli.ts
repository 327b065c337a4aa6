import '@shapecast/platform/load-once'
import { VERSION } from '@shapecast/platform/version'
import { Command, CommanderError } from 'commander'
import { COMMANDS } from './commands/command-list.ts'

const program = new Command('shapecast')
  .description('Train, judge, backtest and trade machine-learned crypto price predictions.')
  .version(VERSION)
  // `train --version v3` names a model's version; the program's own stands before the command.
  .enablePositionalOptions()
  .exitOverride()
  .showHelpAfterError('(--help says more)')
  .addHelpText('after', '\nSettings come from the environment and .env: docs/operations.md lists them.')

// Only the command that is asked for is loaded: the list of all takes no part of the product.
const asked = process.argv.slice(2).find((word) => !word.startsWith('-') && word !== 'help')
for (const { name, words, about, load } of COMMANDS) {
  const command = program.command(name === asked || words === '' ? name : `${name} ${words}`).description(about)
  if (name === asked) (await load())(command)
  // Subcommands do not inherit it.
  command.exitOverride().showHelpAfterError('(--help says more)')
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = await codeOf(error)
}

/** Commander has already said what it had to say. */
async function codeOf(error: unknown): Promise<number> {
  const { FAILED, note, WRONG_USAGE } = await import('./commands/output.ts')
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  const [{ errorText }, { SettingsError }, { ZodError }] = await Promise.all([
    import('./server/error-text.ts'),
    import('@shapecast/platform/settings'),
    import('zod'),
  ])
  note(errorText(error))
  return error instanceof SettingsError || error instanceof ZodError ? WRONG_USAGE : FAILED
}
