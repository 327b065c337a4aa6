import { bollinger, macd } from '@shapecast/engine/indicators/bands'
import { cci, moneyFlow, stochastic } from '@shapecast/engine/indicators/channel-oscillators'
import { directionalMovement } from '@shapecast/engine/indicators/directional'
import { highest, lowest } from '@shapecast/engine/indicators/extremes'
import { rsi, ultimateOscillator } from '@shapecast/engine/indicators/oscillators'
import { sma, zScore } from '@shapecast/engine/indicators/rolling'
import { atr } from '@shapecast/engine/indicators/volatility'
import type { Columns, Indicator, Lines } from './indicator-lines.ts'

/** The lines of an indicator. Averages aside they are asked for once somebody chooses one. */
export function linesOf(indicator: Exclude<Indicator, 'ema'>, { high, low, close, volume }: Columns): Lines {
  switch (indicator) {
    case 'sma':
      return [
        ['sma_fast', 'SMA 50', sma(close, 50)],
        ['sma_slow', 'SMA 200', sma(close, 200)],
      ]
    case 'bollinger': {
      const { upper, middle, lower } = bollinger(close)
      return [
        ['bollinger_upper', 'Bollinger upper', upper],
        ['bollinger_middle', 'middle', middle],
        ['bollinger_lower', 'lower', lower],
      ]
    }
    case 'donchian':
      return [
        ['donchian_upper', 'Donchian high', highest(high, 20)],
        ['donchian_lower', 'low', lowest(low, 20)],
      ]
    case 'rsi':
      return [['rsi', 'RSI 14', rsi(close)]]
    case 'macd': {
      const found = macd(close)
      return [
        ['macd', 'MACD', found.macd],
        ['macd_signal', 'MACD signal', found.signal],
      ]
    }
    case 'stochastic': {
      const k = stochastic(high, low, close, 14, 3)
      return [
        ['stochastic', 'Stochastic %K', k],
        ['stochastic_signal', '%D', sma(k, 3)],
      ]
    }
    case 'atr':
      return [['atr', 'ATR 14', atr(high, low, close)]]
    case 'adx': {
      const { adx, plus, minus } = directionalMovement(high, low, close)
      return [
        ['adx', 'ADX 14', adx],
        ['adx_plus', '+DI', plus],
        ['adx_minus', '−DI', minus],
      ]
    }
    case 'cci':
      return [['cci', 'CCI 20', cci(high, low, close)]]
    case 'mfi':
      return [['mfi', 'Money flow 14', moneyFlow(high, low, close, volume)]]
    case 'ultimate':
      return [['ultimate', 'Ultimate oscillator', ultimateOscillator(high, low, close)]]
    case 'z_score':
      return [['z_score', 'Z-score 20', zScore(close)]]
    default:
      return indicator satisfies never
  }
}
