import { formatPrice } from '#kit/format/money.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { Note } from '#kit/ui/text.tsx'
import { LegendPattern, type Pattern } from '../legend-pattern.tsx'
import { type HoverStore, useShownValues } from './hovered.ts'
import css from './price-chart.module.css'
import { ORIGIN_WORDS } from './price-input.ts'
import type { SignalMark } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

const markPattern = ({ kind, origin }: SignalMark): Pattern => {
  if (origin === 'live') return kind === 'BUY' ? 'long_entry' : 'short_entry'
  return kind === 'BUY' ? 'long_backfilled' : 'short_backfilled'
}

/** Open, high, low, close and the advice of the candle under the crosshair, or else of the last one. */
export function PriceFacts({
  scene,
  hover,
  tickSize,
}: {
  scene: PriceScene
  hover: HoverStore
  tickSize: number | undefined
}) {
  const values = useShownValues(scene, hover)
  if (values === null) return null
  const facts = [
    ['O', 'Open', values.open],
    ['H', 'High', values.high],
    ['L', 'Low', values.low],
    ['C', 'Close', values.close],
  ] as const
  return (
    <dl className={css.facts}>
      {facts.map(([letter, word, value]) => (
        <div key={letter}>
          <dt>
            <abbr title={word}>{letter}</abbr>
          </dt>
          <dd>{formatPrice(value, tickSize)}</dd>
        </div>
      ))}
      {values.signal !== null && (
        <div>
          <dt>
            <LegendPattern pattern={markPattern(values.signal)} /> {values.signal.kind}
          </dt>
          <dd>
            {formatShareRatio(values.signal.weight)}{' '}
            <Note as="small" tone="text2">
              {ORIGIN_WORDS[values.signal.origin]}
            </Note>
          </dd>
        </div>
      )}
    </dl>
  )
}
