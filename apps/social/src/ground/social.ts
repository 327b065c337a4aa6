import type { Channels } from '@shapecast/platform/channels/channels'
import type { OutletStore, Outlets } from '@shapecast/platform/channels/outlets'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Sessions } from '@shapecast/platform/sessions'

/** What is asked of the trading service about the people that it knows by their ids alone. */
export interface TradingData {
  /** Stops what a user's bots do. */
  stopBots(tx: Orm, userId: string): Promise<void>
  /** Has a user's bots open nothing with real money any more. */
  pauseRealBots(tx: Orm, userId: string): Promise<void>
  /** Everything that is kept of a user, by subject, without secrets. */
  export(orm: Orm, userId: string): Promise<Record<string, unknown>>
}

/** What the rooms of the social service stand on: their functions take it first, or the part of it that they need. */
export interface Social {
  readonly db: Database
  readonly sessions: Sessions
  /** Of the installation: the code for its first account comes from it, and what is sealed is sealed under it. */
  readonly secretKey: string
  readonly log: Logger
  readonly outlets: OutletStore
  /** What the trading service keeps of a user. */
  readonly tradingData: TradingData
  /** How messages are sent; over the network when left out. */
  readonly channels?: ((outlets: Outlets) => Channels) | undefined
  /** Time in ms. */
  now(): number
}
