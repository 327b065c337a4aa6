import type { Config } from '@shapecast/platform/config'

/** One thing that the doctor has seen, and what to do about it where something is to be done. */
export interface Finding {
  readonly state: 'good' | 'note' | 'bad'
  readonly about: string
  readonly text: string
  readonly advice?: string
}

export const good = (about: string, text: string): Finding => ({ state: 'good', about, text })
export const hint = (about: string, text: string, advice: string): Finding => ({ state: 'note', about, text, advice })
export const bad = (about: string, text: string, advice: string): Finding => ({ state: 'bad', about, text, advice })

/** Never throws: what it meets is a finding. */
export type Check = (config: Config) => Promise<Finding[]>
