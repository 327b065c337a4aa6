import { formatPrice } from '#kit/format/money.ts'
import { formatFixed, formatUpTo, UNKNOWN } from '#kit/format/number.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import type { ValueRow } from '../value-table.tsx'
import { ORIGIN_WORDS } from './prediction-origin.ts'
import type { PriceScene } from './price-scene.ts'

const ROWS = 24

/** Heads of the columns of `priceRows`. */
export const priceHeads = (scene: PriceScene): string[] => [
  `Candle, ${zoneWords()}`,
  'Open',
  'High',
  'Low',
  'Close',
  'Volume',
  ...scene.lines.map(({ word }) => word),
  'LSTM',
  'Transformer',
  'Signal',
]

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
        ...scene.lines.map(({ id, values }) => (id === 'rsi' ? formatFixed(values[i], 1) : price(values[i]))),
        price(predictions?.lstm[i]),
        price(predictions?.transformer[i]),
        signals.get(i) ?? UNKNOWN,
      ],
    })
  return rows
}
