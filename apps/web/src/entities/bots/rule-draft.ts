import type { RuleOrigin, Sizing } from '@shapecast/contracts/bots'
import type { Timeframe } from '@shapecast/contracts/timeframes'

/** A rule on its way from its editor to the form of a new bot or search, in the state of the history. */
export interface RuleDraft {
  readonly name: string
  readonly rule: string
  /** The stored rule and version that it is; undefined for none. */
  readonly ruleOrigin: RuleOrigin | undefined
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly sizing: Sizing
  readonly marketType: 'spot' | 'futures'
  readonly leverage: number
  /** Quote. */
  readonly initialBalance: number
  /** '' follows the model in use. */
  readonly version: string
}

export const ruleState = (ruleDraft: RuleDraft) => ({ ruleDraft })

export const ruleDraftIn = (state: unknown): RuleDraft | undefined =>
  (state as { ruleDraft?: RuleDraft } | null)?.ruleDraft
