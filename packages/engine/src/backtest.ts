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
import { createRules, type Trader } from './rules.ts'
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

  return resultOf(settings, [{ rules, candles, decisions, account, journal }], journal.trades, equity, account)
}

/** What became of one pair in a run; `symbol` where there are several. */
interface EndedPair extends Trader {
  readonly symbol?: string
  readonly candles: Candles
  readonly decisions: Int8Array | Float64Array
  /** Its trades are those of the pair. */
  readonly journal: BacktestJournal
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** What a run has done, with the trades of all pairs in the order of their exits; `end` is the money that they share. */
export function resultOf(
  settings: BacktestSettings,
  pairs: readonly EndedPair[],
  trades: readonly EngineTrade[],
  equity: Float64Array,
  end: Pick<Account, 'balance' | 'equity' | 'haltedAt'>,
): BacktestResult {
  const journals = pairs.map(({ journal }) => journal)
  const open = pairs.map(({ account, candles }) => openPositionOf(account, candles.close[candles.length - 1]!))
  const signals = pairs.map(({ decisions, rules }) => countSignals(decisions, rules.targets !== null))
  const asked = (kind: keyof BacktestResult['signals']): number => total(signals.map((counts) => counts[kind]))
  const skipped = new Map<SkipReason, number>()
  for (const { skips } of journals)
    for (const [reason, count] of skips) skipped.set(reason, (skipped.get(reason) ?? 0) + count)
  const gaps = journals.flatMap((journal) => journal.gaps)
  const named = <T extends object>({ symbol }: EndedPair, of: T) => (symbol === undefined ? of : { ...of, symbol })
  const openPositions = pairs.flatMap((pair, k) => (open[k] === null ? [] : [named(pair, open[k]!)]))
  return {
    settings,
    trades,
    equity,
    openPosition: openPositions[0] ?? null,
    openPositions,
    signals: { buy: asked('buy'), sell: asked('sell'), hold: asked('hold'), close: asked('close') },
    entries: total(journals.map(({ entries }) => entries)),
    closes: trades.length,
    reducedEntries: total(journals.map(({ reducedEntries }) => reducedEntries)),
    skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
    haltedAt: end.haltedAt < 0 ? null : end.haltedAt,
    gaps: { count: gaps.length, missingCandles: total(gaps.map(({ missing }) => missing)), list: gaps },
    bothReached: pairs.flatMap((pair) => pair.journal.both.map((one) => named(pair, one))),
    fundingAssumed: assumedIn(pairs, open),
    ...postedOf(pairs.map(({ account }) => account)),
    finalBalance: end.balance,
    finalEquity: end.equity,
  }
}

/** The share of the time in which pairs held something whose funding was assumed; null where none was charged. */
function assumedIn(
  pairs: readonly EndedPair[],
  open: readonly (OpenPosition | null)[],
): BacktestResult['fundingAssumed'] {
  if (pairs.every(({ rules }) => rules.funding === null)) return null
  return assumedRatio(
    pairs.map(({ rules, candles, journal }, k) => {
      const closed = journal.trades.map(({ entryTime, exitTime }) => ({ fromMs: entryTime, untilMs: exitTime }))
      // The last settlement that could be charged was that of the last open.
      const last = open[k] == null ? [] : [{ fromMs: open[k].entryTime, untilMs: candles.ts[candles.length - 1]! }]
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
  readonly #heard: ((trade: EngineTrade) => void) | undefined
  entries = 0
  reducedEntries = 0

  /** `heard` is told of each trade too. */
  constructor(heard?: (trade: EngineTrade) => void) {
    this.#heard = heard
  }

  fill({ kind }: { kind: 'entry' | 'exit' }): void {
    if (kind === 'entry') this.entries++
  }
  trade(trade: EngineTrade): void {
    this.trades.push(trade)
    this.#heard?.(trade)
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
function countSignals(decisions: Int8Array | Float64Array, targets: boolean): BacktestResult['signals'] {
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
function openPositionOf(account: Account, lastClose: number): OpenPosition | null {
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
