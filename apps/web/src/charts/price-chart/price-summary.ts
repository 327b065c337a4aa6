import { formatPrice } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
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
