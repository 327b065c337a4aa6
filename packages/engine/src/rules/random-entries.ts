import type { BacktestSettings } from '../backtest-settings.ts'
import { type Candles, indexAtOrAfter } from '../candles.ts'
import { type EngineTrade, isWithin } from '../journal.ts'
import { slippageFills } from '../models/fills.ts'
import type { Random } from '../random.ts'

/** A closed trade of a run. */
export interface HeldTrade {
  readonly side: 1 | -1
  /** The candle at whose open it was entered. */
  readonly entry: number
  /** Candles that it held any part of. */
  readonly held: number
  /** Logarithm of what it left of 1, costs included. */
  readonly logNet: number
}

/** The trades of one series, and what a trade of it comes to that is entered at any open and left `held` opens later. */
export interface EntryStudy {
  readonly candles: number
  readonly trades: readonly HeldTrade[]
  logNet(side: 1 | -1, entry: number, held: number): number
}

const BLOCK = 500
const DRAWS = 999
/** Fewer trades say nothing. */
const LEAST_TRADES = 30
/** A trade that loses everything: its logarithm stays finite. */
const ALL_LOST = 1e-9
const TIE = 1e-12

/** What the entries of a rule are worth beside entries at random, on the same sides and held as long. */
export interface EntryVerdict {
  /** `cannot_tell`: its entries are no better than random ones as far as these trades can say. */
  readonly code: 'too_few_trades' | 'better_than_random' | 'cannot_tell'
  readonly trades: number
  /** Share of draws, the rule's own included, that did as well; null of too few trades. */
  readonly p: number | null
  /** The trades one after the other with all the money, percent. */
  readonly netReturnPct: number
  /** The same of each draw, rising. */
  readonly random: readonly number[]
}

/**
 * The random-entry test. The trades of each 500 candles keep their sides and how long they were held, and are put in a
 * random order with a random share of the free candles before, between and behind them, every way being as likely;
 * statistic is the sum of log returns. Since a draw holds as long as the rule did, neither a rising market nor a long
 * trade counts as skill (docs/decisions/0035).
 */
export function judgeEntries(studies: readonly EntryStudy[], random: Random, draws = DRAWS): EntryVerdict {
  const all = studies.flatMap(({ trades }) => trades)
  const own = all.reduce((sum, { logNet }) => sum + logNet, 0)
  const found = { trades: all.length, netReturnPct: asPct(own) }
  if (all.length < LEAST_TRADES) return { ...found, code: 'too_few_trades', p: null, random: [] }
  const stretches = studies.flatMap((study) => stretchesOf(study).map((stretch) => ({ ...stretch, study })))
  const sums = Array.from({ length: draws }, () =>
    stretches.reduce((sum, { study, ...stretch }) => sum + drawnSum(study, stretch, random), 0),
  )
  const asGood = sums.filter((sum) => sum >= own - TIE).length
  const p = (1 + asGood) / (draws + 1)
  const code = p <= 0.05 ? 'better_than_random' : 'cannot_tell'
  return { ...found, code, p, random: sums.sort((a, b) => a - b).map(asPct) }
}

const asPct = (logarithm: number): number => 100 * Math.expm1(logarithm)

/** The trades that were entered in a block, and the candles among which they may lie. */
interface Stretch {
  readonly from: number
  readonly free: number
  readonly trades: readonly HeldTrade[]
}

/** A block whose last trade reaches into the next one goes on until that ends. */
function stretchesOf({ candles, trades }: EntryStudy): Stretch[] {
  const stretches: Stretch[] = []
  // No position can be opened at the first candle.
  let from = 1
  for (const [block, entered] of Map.groupBy(trades, ({ entry }) => Math.floor(entry / BLOCK))) {
    from = Math.max(from, block * BLOCK)
    const ended = Math.max(...entered.map(({ entry, held }) => entry + held))
    const end = Math.max(ended, Math.min(candles, (block + 1) * BLOCK))
    const held = entered.reduce((sum, trade) => sum + trade.held, 0)
    stretches.push({ from, free: Math.max(0, end - from - held), trades: entered })
    from = end
  }
  return stretches
}

function drawnSum({ logNet }: EntryStudy, { from, free, trades }: Stretch, random: Random): number {
  const order = shuffled(trades, random)
  const before = gapsOf(free, trades.length, random)
  let at = from
  let sum = 0
  for (const [k, { side, held }] of order.entries()) {
    at += before[k]!
    sum += logNet(side, at, held)
    at += held
  }
  return sum
}

function shuffled<T>(of: readonly T[], random: Random): T[] {
  const order = [...of]
  for (let k = order.length - 1; k > 0; k--) {
    const other = random.below(k + 1)
    ;[order[k], order[other]] = [order[other]!, order[k]!]
  }
  return order
}

/** Free candles before each of `parts`, every way to share them out (some behind the last) being as likely: stars and bars. */
function gapsOf(free: number, parts: number, random: Random): number[] {
  const bars = new Set<number>()
  // Floyd's sample of so many different places.
  for (let place = free; place < free + parts; place++) {
    const chosen = random.below(place + 1)
    bars.add(bars.has(chosen) ? place : chosen)
  }
  const sorted = [...bars].sort((a, b) => a - b)
  return sorted.map((bar, k) => (k === 0 ? bar : bar - sorted[k - 1]! - 1))
}

/** The trades of a run as the test takes them. */
export function entryStudyOf(candles: Candles, trades: readonly EngineTrade[], settings: BacktestSettings): EntryStudy {
  const { feeRate, slippageBps, slippageSides } = settings
  const fills = slippageFills(slippageBps, slippageSides)
  const logOf = (side: 1 | -1, entered: number, left: number, fees: number, funding: number): number => {
    const paid = entered * (1 + feeRate)
    return Math.log(Math.max(ALL_LOST, 1 + (side * (left - entered) - fees + funding) / paid))
  }
  return {
    candles: candles.length,
    trades: trades.map((trade) => {
      const { entryTime, exitTime, entryPrice, exitPrice, quantity, fees, funding } = trade
      const side = trade.side === 'long' ? 1 : -1
      const entry = indexAtOrAfter(candles, entryTime)
      // It held a part of the candle within which it ended too.
      const exit = indexAtOrAfter(candles, exitTime) + (isWithin(trade) ? 1 : 0)
      const logNet = logOf(side, entryPrice, exitPrice, fees / quantity, funding / quantity)
      return { side, entry, held: Math.max(1, exit - entry), logNet }
    }),
    logNet: (side, entry, held) => {
      const { open, close, length } = candles
      const entered = fills.entry(open[Math.min(entry, length - 1)]!, side)
      const left = fills.exit(open[entry + held] ?? close[length - 1]!, side)
      return logOf(side, entered, left, feeRate * (entered + left), 0)
    },
  }
}
