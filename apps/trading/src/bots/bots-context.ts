import type { Order } from '@shapecast/contracts/accounts'
import type { BotRecord } from '@shapecast/contracts/bots'
import type { PlannedBot } from '@shapecast/engine/policies/plan'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { Viewer } from '../ground/ownership.ts'
import type { KeyedReplies } from '../ledger/keyed-replies.ts'
import type { ReadExecuted } from '../ledger/order-store.ts'
import type { SymbolRules } from '../market/series-market.ts'
import type { BotStore } from './bot-store.ts'
import type { CurrentModel } from './decision-answers.ts'
import type { BotEquity } from './equity.ts'
import type { LoadCandles } from './held-worth.ts'
import type { PredictsNow } from './pinned-models.ts'
import type { RuntimeStore } from './runtime-store.ts'
import type { TradingStore } from './trading-store.ts'

/** What people's calls about bots stand on. Each names what of it it needs. */
export interface BotsContext {
  db: Database
  bots: BotStore
  /** How far bots are, and what they did. */
  states: TradingStore
  runtime: Pick<RuntimeStore, 'watch' | 'keepByHand'>
  equity: Pick<BotEquity, 'one' | 'moneyOf' | 'shown'>
  replies: KeyedReplies

  /** Throws `not_found` where the viewer may not see the bot. */
  read(id: string, viewer: Viewer): Promise<BotRecord>
  /** Orders of a bot, the newest first. */
  orders(botId: string, limit: number): Promise<Order[]>
  executed: ReadExecuted

  candles: LoadCandles
  /** Throws `unknown_symbol` where the market does not trade it. */
  requireSymbol(symbol: string): Promise<void>
  /** What the market takes of a symbol; null where it is not known. */
  rules(symbol: string): Promise<SymbolRules | null>
  /** The last price, quote per base, and when it was made, ms; null where there is none that is young enough to act on. */
  ticker(symbol: string): Promise<{ readonly last: number; readonly timestamp: number } | null>
  /** Has the candles fetched that a bot's policy looks back over; whether that succeeds is no matter of the call. */
  fetchHistory?: ((bot: PlannedBot, by: Member) => Promise<void>) | undefined
  /** The market's clock, ms; null where it has none. */
  marketNow(): Promise<number | null>
  /** The clock of a replay, ms; null on every other market. */
  replayNow(): Promise<number | null>
  now(): number

  currentModel: CurrentModel
  /** What predicts now, for all series at once. */
  predicting(): Promise<PredictsNow>
  /** Those of the named model versions that do not exist. */
  unknownVersions(versions: string[]): Promise<string[]>
  /** Whether a language model can be asked. */
  openaiReady: boolean
}
