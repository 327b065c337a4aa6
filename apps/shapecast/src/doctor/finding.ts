import type { Config } from '@shapecast/platform/config'

/** One thing that the doctor has seen, and what to do about it where something is to be done. */
export interface Finding {
  readonly state: 'good' | 'note' | 'bad'
  readonly about: string
  readonly text: string
  readonly advice?: string
}

/** Never throws: what it meets is a finding. */
export type Check = (config: Config) => Promise<Finding[]>
