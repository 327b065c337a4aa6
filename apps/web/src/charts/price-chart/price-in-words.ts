import { formatPrice } from '#kit/format/money.ts'
import { formatCounted, formatUpTo, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateTimeYear, formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { lineValue } from '../indicator-lines.ts'
import type { ValueRow } from '../value-table.tsx'
import { ORIGIN_WORDS } from './price-input.ts'
import type { PriceScene } from './price-scene.ts'

/** What the chart shows in a sentence or two, for those who cannot see it. */
export function priceSummary(scene: PriceScene, name: string, tickSize: number | undefined): string {
  const { model, fan } = scene
  const last = model.count - 1
  if (last < 0) return `${name}: no candles.`
  const time = (index: number) => formatDateTimeYear(model.times[index])
  const price = (value: number | undefined) => formatPrice(value, tickSize)
  const changePct = 100 * (model.close[last]! / model.open[0]! - 1)
  const step = fan?.steps.at(-1)
  const forecast =
    fan === null || step === undefined
      ? ''
      : ` ${scene.futureLabel}: between ${price(step.q05)} and ${price(step.q95)} with 90% confidence.`
  return (
    `${name}, ${formatCounted(model.count, 'candle')} from ${time(0)} to ${time(last)}. ` +
    `Last price ${price(model.close[last])}, ${formatChangePct(changePct)} since the first of them.${forecast}`
  )
}

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
        ...scene.lines.map((line) => lineValue(line, line.values[i], tickSize)),
        price(predictions?.lstm[i]),
        price(predictions?.transformer[i]),
        signals.get(i) ?? UNKNOWN,
      ],
    })
  return rows
}
