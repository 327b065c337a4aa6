import { AppError } from '@shapecast/contracts/errors'
import { type Account, createAccount } from './account.ts'
import type { BacktestResult, OpenPosition } from './backtest-result.ts'
import type { BacktestSettings } from './backtest-settings.ts'
import type { Candles } from './candles.ts'
import { DECISION } from './decisions.ts'
import type { BothReached, DetailCandles } from './detail.ts'
import type { EngineTrade, Gap, Journal, SkipReason } from './journal.ts'
import { assumedRatio, type FundingSeries } from './models/funding.ts'
import { postedOf } from './post-only.ts'
import { createRules, type Rules } from './rules.ts'
import { runCandles } from './run-candles.ts'

/**
 * Folds `step` over the candles. `decisions[i]` is made at the close of candle i and acted on at the open of i + 1; the
 * last one therefore never is. They are codes of DECISION, or shares of the equity where the settings have a
 * `targetBand`, NaN where nothing is decided. Into `size`, where it is given, goes the quantity held at each close. `detail` has smaller
 * candles of those that reach both stop and target. The rules are docs/backtest.md. The same input gives the same result, to the bit. Throws `no_candles` for an empty range and `bad_input` for columns of different lengths.
 */
export function runBacktest(
  candles: Candles,
  decisions: Int8Array | Float64Array,
  settings: BacktestSettings,
  funding: FundingSeries | null = null,
  size?: Float64Array,
  detail: DetailCandles | null = null,
): BacktestResult {
  const { length } = candles
  if (length === 0) throw new AppError('no_candles', 'There are no candles to test on: choose another range.')
  if (decisions.length !== length)
    throw new AppError('bad_input', `There are ${decisions.length} decisions for ${length} candles; give one for each.`)

  const account = createAccount(settings.initialBalance)
  const rules = createRules(settings, funding, detail)
  const journal = new BacktestJournal()
  const equity = new Float64Array(length)
  runCandles({ account, rules, candles, decisions, equity, size, journal })

  const openPosition = openPositionOf(account, candles.close[length - 1]!)
  return {
    settings,
    ...toldBy(journal, account),
    equity,
    openPosition,
    signals: countSignals(decisions, rules.targets !== null),
    gaps: {
      count: journal.gaps.length,
      missingCandles: journal.gaps.reduce((sum, gap) => sum + gap.missing, 0),
      list: journal.gaps,
    },
    fundingAssumed: assumedIn([{ rules, candles, trades: journal.trades, openPosition }]),
    ...postedOf([account]),
  }
}

/** What the journal and the account of a run say of it. */
export const toldBy = (journal: BacktestJournal, account: Account) => ({
  trades: journal.trades,
  entries: journal.entries,
  closes: journal.trades.length,
  reducedEntries: journal.reducedEntries,
  skipped: [...journal.skips].map(([reason, count]) => ({ reason, count })),
  haltedAt: account.haltedAt < 0 ? null : account.haltedAt,
  bothReached: journal.both,
  finalBalance: account.balance,
  finalEquity: account.equity,
})

/** What one pair did. */
interface PairHeld {
  readonly rules: Rules
  readonly candles: Candles
  readonly trades: readonly EngineTrade[]
  readonly openPosition: OpenPosition | null
}

/** The share of the time in which pairs held something whose funding was assumed; null where none was charged. */
export function assumedIn(pairs: readonly PairHeld[]): BacktestResult['fundingAssumed'] {
  if (pairs.every(({ rules }) => rules.funding === null)) return null
  return assumedRatio(
    pairs.map(({ rules, candles, trades, openPosition: open }) => {
      const closed = trades.map(({ entryTime, exitTime }) => ({ fromMs: entryTime, untilMs: exitTime }))
      // The last settlement that could be charged was that of the last open.
      const last = open === null ? [] : [{ fromMs: open.entryTime, untilMs: candles.ts[candles.length - 1]! }]
      return { held: [...closed, ...last], known: rules.funding?.known ?? [] }
    }),
  )
}

/** Counts what a run does, and keeps its trades. */
export class BacktestJournal implements Journal {
  readonly trades: EngineTrade[] = []
  readonly gaps: Gap[] = []
  readonly both: BothReached[] = []
  readonly skips = new Map<SkipReason, number>()
  entries = 0
  reducedEntries = 0

  fill({ kind }: { kind: 'entry' | 'exit' }): void {
    if (kind === 'entry') this.entries++
  }
  trade(trade: EngineTrade): void {
    this.trades.push(trade)
  }
  skip(reason: SkipReason): void {
    this.skips.set(reason, (this.skips.get(reason) ?? 0) + 1)
  }
  reduced(): void {
    this.reducedEntries++
  }
  gap(gap: Gap): void {
    this.gaps.push(gap)
  }
  bothReached(time: number, isTold: boolean): void {
    this.both.push({ time, isTold })
  }
  funding(): void {}
}

/** How many candles asked for what; of targets, those decided count as buys, or as closes where all is to be sold. */
export function countSignals(decisions: Int8Array | Float64Array, targets: boolean): BacktestResult['signals'] {
  if (targets) {
    const decided = decisions.filter((target) => !Number.isNaN(target))
    const close = decided.filter((target) => target === 0).length
    return { buy: decided.length - close, sell: 0, hold: decisions.length - decided.length, close }
  }
  const counts = new Int32Array(6)
  // Runs of the same code are counted at once.
  for (let i = 0, from = 0; i < decisions.length; from = i) {
    const code = decisions[i]!
    while (i < decisions.length && decisions[i] === code) i++
    counts[code - DECISION.SELL]! += i - from
  }
  const [sell, hold, buy, ...closes] = counts as unknown as [number, number, number, ...number[]]
  return { buy, sell, hold, close: closes.reduce((sum, count) => sum + count, 0) }
}

/** What an account still holds after its last close; null where it is flat. */
export function openPositionOf(account: Account, lastClose: number): OpenPosition | null {
  if (account.side === 0) return null
  const { size } = account
  const unrealizedPnL = size * (lastClose - account.entryPrice)
  const grossPnL = size * (lastClose - account.entryRawPrice)
  return {
    side: account.side > 0 ? 'long' : 'short',
    entryTime: account.entryTime,
    entryPrice: account.entryPrice,
    quantity: Math.abs(size),
    unrealizedPnL,
    grossPnL,
    fees: account.entryFee,
    slippageCost: grossPnL - unrealizedPnL,
    funding: account.positionFunding,
  }
}
