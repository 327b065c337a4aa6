import type { Command } from 'commander'
import { checkDatabase } from '../doctor/database-check.ts'
import type { Check, Finding } from '../doctor/finding.ts'
import { checkMachine, checkModelRuntime, checkProgram } from '../doctor/machine-check.ts'
import { commandConfig } from './open.ts'
import { FAILED, print } from './output.ts'

/** In the order in which one depends on the other. */
const CHECKS: readonly Check[] = [checkMachine, checkProgram, checkModelRuntime, checkDatabase]

const MARK = { good: 'ok  ', note: 'note', bad: 'FAIL' } as const

export const addDoctor = (command: Command): void => {
  command.option('--json', 'print the findings as JSON').action(async (options: { json?: true }) => {
    const config = commandConfig()
    const findings: Finding[] = []
    for (const check of CHECKS) {
      const found = await check(config)
      findings.push(...found)
      if (!options.json) for (const finding of found) print(lineOf(finding))
    }
    if (options.json) print(JSON.stringify(findings, null, 2))
    if (findings.some((finding) => finding.state === 'bad')) process.exitCode = FAILED
  })
}

const lineOf = ({ state, about, text, advice }: Finding): string =>
  `${MARK[state]}  ${about}: ${text}${advice === undefined ? '' : `\n      ${advice}`}`
