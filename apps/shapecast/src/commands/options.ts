import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { type Command, Option } from 'commander'
import { botIdOf, decimal, symbolOf, timeOf, valuesOf, versionOf, wholeNumber } from './arguments.ts'

// Options that several commands have.

export const addOptions = (command: Command, options: readonly Option[]): Command =>
  options.reduce((with_, option) => with_.addOption(option), command)

export const symbol = (): Option =>
  new Option('--symbol <symbol>', 'the market, such as BTCUSDT').argParser(symbolOf).makeOptionMandatory()

/** Mandatory without a usual one. */
export function timeframe(usual?: Timeframe): Option {
  const option = new Option('--timeframe <timeframe>', 'how long one candle is').choices(TIMEFRAMES)
  return usual === undefined ? option.makeOptionMandatory() : option.default(usual)
}

export const range = (): Option[] => [
  new Option('--from <time>', 'from this time on, such as 2024-01-31').argParser(timeOf),
  new Option('--to <time>', 'up to this time').argParser(timeOf),
]

export const limit = (usual: number = LAB_CANDLES): Option =>
  new Option('--limit <candles>', 'the newest so many candles, or the last ones up to --to')
    .argParser(wholeNumber)
    .default(usual)

export const keptPct = (usual: number): Option =>
  new Option('--kept-pct <percent>', 'the last part of the candles, which stays unseen')
    .argParser(decimal)
    .default(usual)

export const marketType = (): Option =>
  new Option('--market-type <type>', 'what a rule trades').choices(['spot', 'futures']).default('spot')

export const costs = (): Option[] => [
  new Option('--fee-rate <ratio>', 'of the notional, on each fill')
    .argParser(decimal)
    .default(BACKTEST_DEFAULTS.feeRate),
  new Option('--slippage-bps <bps>', 'moved against us on each fill')
    .argParser(decimal)
    .default(BACKTEST_DEFAULTS.slippageBps),
]

export const model = (about: string): Option => new Option('--model <version>', about).argParser(versionOf)

export const bot = (about: string): Option =>
  new Option('--bot <id>', about).argParser(botIdOf).conflicts(['model', 'rule'])

export const rule = (about: string): Option =>
  new Option(
    '--rule <file>',
    `${about}: a text or JSON file, the text itself, or a stored one as NAME or NAME@2; --model says whose forecast it looks at`,
  )

/** A rule some numbers of which are searched or chosen. */
export const openRule = (about: string): Option =>
  new Option(
    '--rule <file>',
    `a rule whose ${about} numbers stand in braces, ema({fast}): a file, the text itself, or a stored one as NAME or NAME@2, whose numbers are called ema_20`,
  )

export const param = (): Option =>
  new Option(
    '--param <name=values>',
    "what is tried, such as 'fast=4 to 40 by 4' or 'stopLossPct=0,2,4'; once for each",
  )
    .argParser(valuesOf)
    .default([], 'none')
