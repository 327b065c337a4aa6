import { formatPrice } from '../../shared/format/money.ts'
import { formatUpTo, UNKNOWN } from '../../shared/format/number.ts'
import { formatTableTimeYear } from '../../shared/format/time.ts'
import type { ValueRow } from '../value-table.tsx'
import { ORIGIN_WORDS } from './prediction-origin.ts'
import type { PriceScene } from './price-scene.ts'

const ROWS = 24

export const PRICE_HEADS = [
  'Candle, UTC',
  'Open',
  'High',
  'Low',
  'Close',
  'Volume',
  'EMA 20',
  'EMA 50',
  'LSTM',
  'Transformer',
  'Signal',
] as const

/** The newest 24 candles in figures, the newest first. */
export function priceRows(scene: PriceScene, tickSize: number | undefined): ValueRow[] {
  const { model, predictions } = scene
  const signals = new Map(
    predictions?.signals.map((mark) => [mark.index, `${mark.kind}, ${ORIGIN_WORDS[mark.origin]}`]),
  )
  const price = (value: number | undefined) => formatPrice(value, tickSize)
  const rows: ValueRow[] = []
  for (let i = model.count - 1; i >= Math.max(0, model.count - ROWS); i--)
    rows.push({
      key: model.times[i]!,
      cells: [
        formatTableTimeYear(model.times[i]!),
        price(model.open[i]),
        price(model.high[i]),
        price(model.low[i]),
        price(model.close[i]),
        formatUpTo(model.volume[i], 4),
        price(model.emaFast[i]),
        price(model.emaSlow[i]),
        price(predictions?.lstm[i]),
        price(predictions?.transformer[i]),
        signals.get(i) ?? UNKNOWN,
      ],
    })
  return rows
}
