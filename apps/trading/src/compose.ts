import { join } from 'node:path'
import type { Candidate } from '@shapecast/platform/database/lead'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import type { FastifyPluginAsync } from 'fastify'
import { type ApiOptions, tradingApi } from './api.ts'
import { type FeedOptions, startTradingFeed } from './feed.ts'
import type { TradingDeps } from './parts/ground.ts'
import { createParts, type Parts } from './parts.ts'
import { startWorker, type TradingWorker, type WorkerOptions } from './worker.ts'

/** The tables of the trading service; run after the platform's. */
export const TRADING_MIGRATIONS: MigrationFolder = {
  owner: 'trading',
  path: join(import.meta.dirname, '../migrations'),
}

/** The trading service in one process: each of these makes what it uses, and what two of them use is made once. */
export function compose(deps: TradingDeps) {
  const parts = createParts(deps)
  return {
    /** Answers requests. */
    api: (options: Pick<ApiOptions, 'sessions'>): FastifyPluginAsync =>
      tradingApi(parts, { ...options, hub: deps.hub, testnet: deps.testnet ?? true }),
    /** Stands for the market's feed. */
    feed: (options?: FeedOptions): Candidate => startTradingFeed(parts, options),
    /** Takes jobs and does the regular work. */
    worker: (options: WorkerOptions = {}): Promise<TradingWorker> => startWorker(parts, options),
    /** For commands, other services and tests: any part by itself. */
    cli: (): Parts => parts,
  }
}
