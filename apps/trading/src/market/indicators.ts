import { AppError } from '@shapecast/contracts/errors'
import type { Indicators } from '@shapecast/contracts/indicators'
import type { Candles } from '@shapecast/engine/candles'
import { ema } from '@shapecast/engine/indicators/averages'
import { bollinger } from '@shapecast/engine/indicators/bands'
import { rsi, ultimateOscillator } from '@shapecast/engine/indicators/oscillators'
import { zScore } from '@shapecast/engine/indicators/rolling'

/** The longest of them, the Ultimate Oscillator, looks at 28 candles and the close before. */
const FEWEST = 29

/** The indicators at the last of `candles`. Throws `too_few_candles` under 29. */
export function indicatorsAtEnd({ high, low, close, length }: Candles): Indicators {
  if (length < FEWEST)
    throw new AppError(
      'too_few_candles',
      `There are ${length} candles; the indicators need at least ${FEWEST}. Ask for more, or download or import some.`,
      { field: 'limit' },
    )
  const last = (column: Float64Array): number => column.at(-1)!
  const bands = bollinger(close, 20, 2)
  return {
    rsi: last(rsi(close, 14)),
    zScore: last(zScore(close, 20)),
    ultimateOscillator: last(ultimateOscillator(high, low, close)),
    ema: { ema20: last(ema(close, 20)) },
    bollinger: { upper: last(bands.upper), middle: last(bands.middle), lower: last(bands.lower) },
  }
}
