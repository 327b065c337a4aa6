import type { ChainHead } from '@shapecast/contracts/track-record'
import { createChainStore } from '@shapecast/trading/forecasts/record/record-store'
import { createOutcomeCheckStore, verifyOutcomes } from '@shapecast/trading/forecasts/record/verify-outcomes'
import { type Finding, recordVerdict, verifyRecord } from '@shapecast/trading/forecasts/record/verify-record'
import { REVISIONS_KEPT_DAYS } from '@shapecast/trading/market/forget-revisions'
import { type Command, InvalidArgumentError } from 'commander'
import { withStored } from './open.ts'
import { FAILED, print } from './output.ts'

const SHOWN = 20
const DAY_MS = 24 * 60 * 60_000

/** `ROWS:HASH`, as this command prints it. */
function headOf(text: string): ChainHead {
  const [, rows, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  if (rows === undefined || hash === undefined)
    throw new InvalidArgumentError('A head is written as ROWS:HASH, as this command prints it.')
  return { rows: Number(rows), hash }
}

export const addVerifyRecord = (command: Command): void => {
  command
    .option('--head <rows:hash>', 'a head that this command printed before: finds a record rewritten since', headOf)
    .option('--json', 'print the result as JSON')
    .action(async ({ head, json }: { head?: ChainHead; json?: true }) => {
      const { chain, scores } = await withStored(async ({ db }) => ({
        chain: await verifyRecord(createChainStore(db.orm), head),
        scores: await verifyOutcomes(createOutcomeCheckStore(db.orm), Date.now(), REVISIONS_KEPT_DAYS * DAY_MS),
      }))
      const { rows, head: newHead } = chain
      const { outcomes, compared, late, notes } = scores
      const findings = [...chain.findings, ...scores.findings]
      if (findings.length > 0) process.exitCode = FAILED
      if (json)
        return print(JSON.stringify({ rows, head: newHead, outcomes, compared, late, findings, notes }, null, 2))
      list(findings, (seq) => (seq === null ? 'outcomes:' : `row ${seq}`))
      list(notes, (seq) => `note: row ${seq}`)
      print(
        `${recordVerdict({ rows, late, findings: findings.length })}\n${outcomes} ${outcomes === 1 ? 'outcome' : 'outcomes'}, of which ${compared} could be held against stored candles.\nHead, to keep elsewhere: ${newHead.rows}:${newHead.hash}`,
      )
    })
}

function list(findings: readonly Finding[], named: (seq: number | null) => string): void {
  for (const { seq, text } of findings.slice(0, SHOWN)) print(`${named(seq)} ${text}`)
  if (findings.length > SHOWN) print(`… and ${findings.length - SHOWN} more (--json lists all)`)
}
