import { checkDatabase } from './database-check.ts'
import type { Check } from './finding.ts'
import { checkMachine } from './machine-check.ts'
import { checkModelRuntime } from './model-runtime-check.ts'
import { checkProgram } from './program-check.ts'

/** In the order in which one depends on the other. */
export const CHECKS: readonly Check[] = [checkMachine, checkProgram, checkModelRuntime, checkDatabase]
