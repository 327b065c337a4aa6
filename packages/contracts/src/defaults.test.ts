import { expect, it } from 'vitest'
import { BacktestRequest, ModelBacktestRequest } from './backtest-request.ts'
import { BotDraft, ConsensusConfig, ConsensusStrategy, OnDisagreement } from './bots.ts'
import { ohlcv, SymbolId } from './market.ts'
import { predictCloud, predictMulti } from './predictions.ts'
import { TIMEFRAMES } from './timeframes.ts'
import { DEFAULT_LOOKBACK, HOLDOUT_CANDLES, WARMUP_CANDLES } from './training-candles.ts'
import { train } from './trainings.ts'

const symbol = 'BTCUSDT'

it('a backtest is of a bot, on 1,000 candles, at 0.06 % and 5 bps, without a second entry on the same candle', () => {
  const botId = '01890000-0000-7000-8000-000000000001'
  expect(BacktestRequest.parse({ botId })).toMatchObject({
    mode: 'bot',
    limit: 1000,
    feeRate: 0.0006,
    slippageBps: 5,
    noSameBarReentry: true,
  })
})

it('a model alone is tested on hours with 0.015 at 30× of 100, to a fall of 50 %', () =>
  expect(ModelBacktestRequest.parse({ symbol, mlModelVersion: 'v3' })).toMatchObject({
    timeframe: '1h',
    limit: 1000,
    positionSize: 0.015,
    initialBalance: 100,
    leverage: 30,
    maxDrawdown: 50,
  }))

it('forecasts look at 300 hours, the fan 8 candles ahead by its quantiles', () => {
  expect(predictCloud.body.parse({ symbol })).toMatchObject({
    limit: 300,
    timeframe: '1h',
    horizon_steps: 8,
    method: 'quantile',
  })
  expect(predictMulti.body.parse({ symbol, versions: ['v3'] })).toMatchObject({ limit: 300, timeframe: '1h' })
})

it('a training makes v3 of hours, 30 to a window, without the last 400 and the 99 of the warm-up', () => {
  expect(train.body.parse({ symbol })).toEqual({ version: 'v3', symbol, timeframe: '1h', params: {} })
  expect([DEFAULT_LOOKBACK, HOLDOUT_CANDLES, WARMUP_CANDLES]).toEqual([30, 400, 99])
})

it('a training takes 5,000 candles by a limit; from and to may span more', () => {
  expect(train.body.parse({ symbol, limit: 4999 })).toMatchObject({ limit: 4999 })
  expect(train.body.parse({ symbol, limit: 58_000 })).toMatchObject({ limit: 5000 })
  expect(train.body.parse({ symbol, from: 0, to: 58_000 * 3_600_000 })).not.toHaveProperty('limit')
})

it('a symbol may be written with a slash', () => {
  expect(SymbolId.parse('btc/usdt')).toBe('BTCUSDT')
  for (const wrong of ['BTC-USDT', 'BTC//USDT', '/']) expect(SymbolId.safeParse(wrong).success).toBe(false)
})

it('a chart has 100 hours where nothing else is asked for, and 10,000 candles at most', () => {
  expect(ohlcv.query.parse({})).toMatchObject({ timeframe: '1h', limit: 100 })
  expect(ohlcv.query.safeParse({ limit: '10000' }).success).toBe(true)
  expect(ohlcv.query.safeParse({ limit: '10001' }).success).toBe(false)
  expect(TIMEFRAMES).toEqual(['1m', '5m', '15m', '30m', '1h', '4h', '1d'])
})

it('an ensemble of 2 to 5 models votes by majority of 2 and holds where they disagree', () => {
  expect(ConsensusConfig.parse({})).toMatchObject({ strategy: 'majority', minAgreement: 2, onDisagreement: 'hold' })
  expect(ConsensusStrategy.options).toEqual(['unanimous', 'majority', 'weighted', 'confidence_threshold'])
  expect(OnDisagreement.options).toEqual(['hold', 'skip', 'use_highest_confidence'])
  const takes = (count: number) =>
    BotDraft.safeParse({ name: 'Tern', mlModelVersions: Array.from({ length: count }, (_, i) => `v${i}`) }).success
  expect([1, 2, 5, 6].map(takes)).toEqual([false, true, true, false])
})
