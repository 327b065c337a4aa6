import type { Config } from '@shapecast/platform/config'
import { checkDatabase } from './database-check.ts'
import { checkMachine } from './machine-check.ts'
import { checkModelRuntime } from './model-runtime-check.ts'
import { checkProgram } from './program-check.ts'

/** One thing that the doctor has seen, and what to do about it where something is to be done. */
export interface Finding {
  readonly state: 'good' | 'note' | 'bad'
  readonly about: string
  readonly text: string
  readonly advice?: string
}

export type Check = (config: Config) => Promise<Finding[]>

/** In the order in which one depends on the other. A check never throws: what it meets is a finding. */
export const CHECKS: readonly Check[] = [checkMachine, checkProgram, checkModelRuntime, checkDatabase]
