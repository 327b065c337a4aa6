import type { BotStore } from './bot-store.ts'
import { createExchangeEntry, type EntryDeps } from './exchange-entry.ts'
import { createExchangeExecution, type ExchangeDeps } from './exchange-execution.ts'
import { createKillSwitch } from './kill-switch.ts'
import { checkRealBots, type RealCheckDeps } from './real-check.ts'

/** Bots that trade real money: whether they may start, the kill switch, and what becomes of their decisions. */
export function createRealBots(deps: RealCheckDeps & EntryDeps & { market: ExchangeDeps['market']; bots: BotStore }) {
  const { exchange } = deps
  const entry = createExchangeEntry(deps)
  const killSwitch = createKillSwitch({ ...deps, real: exchange.realBots, requireProof: entry.requireProof })
  return {
    entry,
    killSwitch,
    execution: createExchangeExecution({
      ...deps,
      accounts: exchange.botOrders,
      killSwitch,
      check: (turn) => checkRealBots(deps, turn),
    }),
  }
}
