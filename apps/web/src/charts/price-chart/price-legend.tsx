import { Fragment } from 'react'
import { formatPrice } from '#kit/format/money.ts'
import { formatErrorRatio, formatShareRatio } from '#kit/format/percent.ts'
import layout from '#kit/ui/layout.module.css'
import { Note } from '#kit/ui/primitives.tsx'
import { lineValue } from '../indicator-lines.ts'
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

interface ShownOf {
  scene: PriceScene
  hover: HoverStore
  tickSize: number | undefined
}

/** Open, high, low, close and the advice of the candle under the crosshair, or else of the last one. */
export function PriceFacts({ scene, hover, tickSize }: ShownOf) {
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

interface LegendRow {
  readonly pattern: Pattern
  readonly word: string
  /** Absent where the thing is no single figure. */
  readonly value?: string
}

/** What the forecasts of the networks are, so that nobody takes them for an expected path. */
const aheadWords = (meanError: number | null): string =>
  meanError === null ? 'one candle ahead' : `one candle ahead, mean error ${formatErrorRatio(meanError)}`

/** The lines of the chart: pattern, word, and the value at the crosshair or else the newest one. */
export function PriceLegend({ scene, hover, tickSize }: ShownOf) {
  const values = useShownValues(scene, hover)
  const rows: LegendRow[] = []
  if (scene.type === 'line') rows.push({ pattern: 'close', word: 'Close', value: formatPrice(values?.close, tickSize) })
  scene.lines.forEach((line, i) => {
    rows.push({ pattern: line.id, word: line.word, value: lineValue(line, values?.lines[i], tickSize) })
  })
  if (scene.predictions !== null)
    rows.push(
      { pattern: 'lstm', word: 'LSTM', value: formatPrice(values?.lstm, tickSize) },
      { pattern: 'transformer', word: 'Transformer', value: formatPrice(values?.transformer, tickSize) },
    )
  // A filled mark was sealed before its outcome was known, a hollow one worked out afterwards.
  const origins = new Set(scene.predictions?.signals.map((mark) => mark.origin === 'live'))
  if (origins.has(true)) rows.push({ pattern: 'long_entry', word: 'Live signal' })
  if (origins.has(false)) rows.push({ pattern: 'long_backfilled', word: 'Signal computed later' })
  if (scene.fan !== null) rows.push({ pattern: 'fan', word: 'Range 50% and 90%' })
  return (
    <Note as="ul" tone="text2" aria-label="Legend" className={`${layout.list} ${css.legend}`}>
      {rows.map(({ pattern, word, value }) => (
        <Fragment key={word}>
          <li data-pattern={pattern}>
            <LegendPattern pattern={pattern} />
            <span>{word}</span>
            {value !== undefined && <b>{value}</b>}
          </li>
          {pattern === 'transformer' && scene.predictions !== null && (
            <li className={css.note}>{aheadWords(scene.predictions.meanError)}</li>
          )}
        </Fragment>
      ))}
    </Note>
  )
}
