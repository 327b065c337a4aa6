import type { ChainHead } from '@shapecast/contracts/track-record'
import { createChainStore } from '@shapecast/trading/features/record/chain-store'
import { verifyRecord } from '@shapecast/trading/features/record/verify-record'
import { type Command, InvalidArgumentError } from 'commander'
import { withStored } from './open.ts'
import { FAILED, print } from './output.ts'

const SHOWN = 20

/** `ROWS:HASH`, as this command prints it. */
function headOf(text: string): ChainHead {
  const [, rows, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  if (rows === undefined || hash === undefined)
    throw new InvalidArgumentError('A head is written as ROWS:HASH, as this command prints it.')
  return { rows: Number(rows), hash }
}

export const addVerifyRecord = (program: Command): void => {
  program
    .command('verify-record')
    .description('recompute the chain of sealed predictions and find what was edited, deleted or cut off')
    .option('--head <rows:hash>', 'a head that this command printed before: finds a record rewritten since', headOf)
    .option('--json', 'print the result as JSON')
    .action(async ({ head, json }: { head?: ChainHead; json?: true }) => {
      const found = await withStored(({ db }) => verifyRecord(createChainStore(db.orm), head))
      if (found.findings.length > 0) process.exitCode = FAILED
      if (json) return print(JSON.stringify(found, null, 2))
      for (const { seq, text } of found.findings.slice(0, SHOWN)) print(`row ${seq} ${text}`)
      if (found.findings.length > SHOWN) print(`… and ${found.findings.length - SHOWN} more (--json lists all)`)
      const verdict = found.findings.length === 0 ? 'the record is whole' : `${found.findings.length} found`
      print(
        `${found.rows} sealed ${found.rows === 1 ? 'prediction' : 'predictions'}: ${verdict}.\nHead, to keep elsewhere: ${found.head.rows}:${found.head.hash}`,
      )
    })
}
