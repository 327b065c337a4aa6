import { TrialKind } from '@shapecast/contracts/trials'
import { trialsOfUser } from '@shapecast/trading/trials/trials'
import type { Command } from 'commander'
import { memberOf, withStored } from './open.ts'
import { printAs, table } from './output.ts'

export const addTrials = (command: Command): void => {
  command
    .argument('<email>', 'whose tries')
    .option('--json', 'print them as JSON')
    .action(async (email: string, options: { json?: true }) => {
      const found = await withStored(async ({ db: { orm } }) => trialsOfUser(orm, (await memberOf(orm, email)).userId))
      const kinds = TrialKind.options
      const rows = found.map(({ venue, symbol, timeframe, count, byKind }) => [
        `${symbol} ${timeframe} ${venue}`,
        ...[count, ...kinds.map((kind) => byKind[kind] ?? 0)].map(String),
      ])
      printAs(options.json, found, () => table([['series', 'tries', ...kinds], ...rows]))
    })
}
