import { expect, it } from 'vitest'
import { runBacktest } from '../backtest.ts'
import { backtestSettings } from '../backtest-settings.ts'
import { candlesFromRows } from '../candles.ts'
import { createRandom } from '../random.ts'
import { botRule } from './bot-rule.ts'
import { RULE_LIBRARY } from './library.ts'
import { parseRule } from './parse.ts'
import { ruleText } from './print.ts'
import { createRuleColumns } from './rule-columns.ts'
import { ruleDecisions } from './rule-decisions.ts'

/** Published rules beside the twelve of the library, at closes: who has published each, and its text. */
const MORE: readonly (readonly [name: string, text: string])[] = [
  ['Brock, Lakonishok, LeBaron 1992: 1 and 50 days', 'enter: close > sma(50) exit: close < sma(50)'],
  ['Brock et al.: 1 and 150 days, band 1 %', 'enter: close > 1.01 * sma(150) exit: close < 0.99 * sma(150)'],
  ['Brock et al.: 5 and 150 days', 'enter: sma(5) > sma(150) exit: sma(5) < sma(150)'],
  ['Brock et al.: 2 and 200 days, band 1 %', 'enter: sma(2) > 1.01 * sma(200) exit: sma(2) < 0.99 * sma(200)'],
  ['Brock et al.: trading range break of 50 days', 'enter: close > donchian_upper(50)[1] time: 10'],
  ['Brock et al.: fixed length of 10 days', 'enter: sma(1) crosses above sma(50) time: 10'],
  ['Donchian: 4 weeks', 'enter: close > donchian_upper(20)[1] exit: close < donchian_lower(20)[1]'],
  ['Donchian: 5 and 20 days', 'enter: close > sma(5) and close > sma(20) exit: close < sma(5) and close < sma(20)'],
  ['Allen: 4, 9 and 18 days', 'enter: sma(4) > sma(9) and sma(9) > sma(18) exit: sma(4) < sma(9)'],
  ['Appel: MACD above zero', 'enter: macd(12, 26) > 0 exit: macd(12, 26) < 0'],
  ['Appel: MACD histogram', 'enter: macd_histogram(12, 26, 9) > 0 exit: macd_histogram(12, 26, 9) < 0'],
  [
    'Elder: impulse',
    'enter: ema(13) > ema(13)[1] and macd_histogram > macd_histogram[1] exit: ema(13) < ema(13)[1] or macd_histogram < macd_histogram[1]',
  ],
  [
    'Elder: triple screen, in one timeframe',
    'enter: ema(65) > ema(65)[5] and stochastic_k(5, 3) < 30 exit: stochastic_k(5, 3) > 70',
  ],
  ['Wilder: RSI of 14 above 50', 'enter: rsi(14) > 50 exit: rsi(14) < 50'],
  [
    'Wilder: trend of ADX',
    'enter: adx(14) > 25 and adx(14) > adx(14)[1] and plus_di > minus_di exit: plus_di < minus_di',
  ],
  [
    'Wilder: volatility stop of three ranges',
    'enter: close > highest(close, 20)[1] exit: close < highest(close, 20) - 3 * atr(14)',
  ],
  ['Chande and Kroll: chandelier (LeBeau)', 'enter: close > sma(50) exit: close < highest(high, 22) - 3 * atr(22)'],
  ['Keltner, by Raschke', 'enter: close > ema(20) + 2 * atr(10) exit: close < ema(20)'],
  ['Bollinger: break of the upper band', 'enter: close > bollinger_upper(20, 2) exit: close < sma(20)'],
  [
    'Bollinger: squeeze',
    'enter: stdev(20) / sma(20) <= lowest(stdev(20) / sma(20), 120) * 1.1 and close > bollinger_upper(20, 2) exit: close < sma(20)',
  ],
  ['Bollinger and MFI: method II', 'enter: close > bollinger_upper(20, 2) and mfi(10) > 80 exit: close < sma(20)'],
  [
    'Lane: stochastic cross',
    'enter: stochastic_k(14, 3) crosses above stochastic_d(14, 3, 3) and stochastic_d(14, 3, 3) < 30 exit: stochastic_k(14, 3) crosses below stochastic_d(14, 3, 3) or stochastic_k(14, 3) > 80',
  ],
  ['Williams: %R of 10 days', 'enter: williams_r(10) < -80 exit: williams_r(10) > -20'],
  [
    'Williams: volatility break',
    'enter: close > open + 0.6 * (high[1] - low[1]) exit: close < open - 0.6 * (high[1] - low[1])',
  ],
  ['Lambert: CCI of 100', 'enter: cci(20) > 100 exit: cci(20) < 0'],
  ['Quong and Soudack: MFI 20 and 80', 'enter: mfi(14) < 20 exit: mfi(14) > 80'],
  ['Williams: Ultimate Oscillator', 'enter: ultimate < 35 exit: ultimate > 65'],
  ['Connors: double 7', 'enter: close > sma(200) and close <= lowest(close, 7) exit: close >= highest(close, 7)'],
  ['Connors: cumulative RSI of 2', 'enter: close > sma(200) and rsi(2) + rsi(2)[1] < 35 exit: rsi(2) > 65'],
  [
    'Connors: R3',
    'enter: close > sma(200) and rsi(2) < 10 and rsi(2) < rsi(2)[1] and rsi(2)[1] < rsi(2)[2] exit: rsi(2) > 70',
  ],
  [
    'Connors: three lower lows',
    'enter: close > sma(200) and low < low[1] and low[1] < low[2] and low[2] < low[3] exit: close > sma(5)',
  ],
  ['Crabel: narrowest range of 7 days', 'enter: high - low <= lowest(high - low, 7) and close > open time: 5'],
  ['Crabel: inside day', 'enter: high < high[1] and low > low[1] and close > open time: 3'],
  [
    'Raschke: holy grail',
    'enter: adx(14) > 30 and low <= ema(20) and close > ema(20) exit: close < ema(20) target: 10%',
  ],
  [
    'Raschke and Connors: turtle soup',
    'enter: low < donchian_lower(20)[1] and close > donchian_lower(20)[1] stop: 3% time: 10',
  ],
  ['Jegadeesh and Titman: 6 months', 'enter: roc(182) > 0 exit: roc(182) < 0'],
  ['Moreira and Muir: less when volatile', 'enter: vol(30) < 55% exit: vol(30) > 60%'],
  ['French: weekend', 'enter: weekday == 5 exit: weekday == 1'],
]

const DAY = 86_400_000
const random = createRandom(9)
let close = 100
let drift = 0
const candles = candlesFromRows(
  Array.from({ length: 1500 }, (_, day) => {
    if (day % 60 === 0) drift = 0.006 * random.normal()
    const open = close
    close = open * Math.exp(drift + 0.03 * random.normal())
    const [high, low] = [
      Math.max(open, close) * (1 + 0.02 * random.next()),
      Math.min(open, close) * (1 - 0.02 * random.next()),
    ]
    return [day * DAY, open, high, low, close, 100 + 900 * random.next()]
  }),
)
const ALL = [...RULE_LIBRARY.map(({ name, text }) => [name, text] as const), ...MORE]

it('fifty published rules are tried', () => expect(new Set(ALL.map(([, text]) => text)).size).toBe(50))

it.each(ALL)('%s can be written, read again and traded', (_, text) => {
  const rule = botRule(text, 'spot', 'rule')
  expect(parseRule(ruleText(rule))).toEqual(rule)
  const decisions = ruleDecisions(rule, createRuleColumns({ candles, timeframe: '1d', forecast: null }))
  const settings = backtestSettings({
    market: 'spot',
    timeframe: '1d',
    initialBalance: 1000,
    leverage: 1,
    sizing: { kind: 'percent_of_equity', pct: 100 },
    takeProfitPct: rule.targetPct ?? 0,
    stopLossPct: rule.stopPct ?? 0,
    ...(rule.timeCandles === null ? {} : { timeExitCandles: rule.timeCandles }),
    maxDrawdownPct: 100,
  })
  const { trades } = runBacktest(candles, decisions, settings)
  expect(trades.length).toBeGreaterThan(0)
})
