import type { SearchResult } from '@shapecast/contracts/search'
import { EndTag, TAGS_PX, tagsApart } from '#charts/plots/percent-curves-plot.tsx'
import { PlotFrame } from '#charts/plots/plot-frame.tsx'
import { roundAxis } from '#charts/plots/scales.ts'
import { formatCount, formatFixed, formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDate, formatMonth } from '#kit/format/time.ts'
import { chartColors, colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { spreadOf } from './search-words.ts'

const LINES = [
  { key: 'best', word: 'Best', look: { stroke: colors.text, strokeWidth: 1.75 } },
  { key: 'median', word: 'Median', look: { stroke: colors.text2, strokeWidth: 1.25, strokeDasharray: '6 3' } },
  { key: 'worst', word: 'Worst', look: { stroke: colors.text3, strokeWidth: 1.25, strokeDasharray: '1.5 2.5' } },
  { key: 'hold', word: 'Buy and hold', look: { stroke: chartColors.emaSlow, strokeWidth: 1 } },
] as const
/** Those that end together. */
const PAIRS = [
  [LINES[0], LINES[3]],
  [LINES[1], LINES[2]],
] as const
const TICKS = 6
const TABLE_ROWS = 12

/** Equity of the best, the middle and the worst combination beside holding; median and worst end where the kept part begins. */
export function SearchEquity({ result: { curves, searched } }: { result: SearchResult }) {
  const { t } = curves
  const known = LINES.flatMap(({ key }) => curves[key].flatMap((value) => (value === null ? [] : [value])))
  const [first, last] = [t[0]!, t.at(-1)!]
  const x = {
    from: first,
    to: last,
    ticks: Array.from({ length: TICKS }, (_, i) => first + ((last - first) * (i + 0.5)) / TICKS),
  }
  const y = roundAxis(known, 4, [-100, Number.POSITIVE_INFINITY])
  const every = Math.max(1, Math.ceil(t.length / TABLE_ROWS))
  const words = (value: number | null) => (value === null ? '—' : formatChangePct(value))
  return (
    <PlotFrame
      label="Equity after fees and slippage, percent since the beginning"
      xTitle=""
      x={x}
      y={y}
      leftPx={52}
      rightPx={TAGS_PX}
      formatX={formatMonth}
      formatY={(value) => `${formatSigned(value, 0)}%`}
      legend={LINES.map(({ word, look }) => ({ word, mark: <line x1="0" x2="18" y1="5" y2="5" {...look} /> }))}
      heads={['Day', ...LINES.map(({ word }) => word)]}
      rows={t
        .map((ms, k) => ({
          key: ms,
          cells: [formatDate(ms), ...LINES.map(({ key }) => words(curves[key][k]!))] as const,
        }))
        .filter((_, k) => (t.length - 1 - k) % every === 0)}
    >
      {({ x: px, y: py, bottomPx }) => (
        <>
          {searched.to < last && (
            <>
              <rect
                x={px(first)}
                y={8}
                width={px(searched.to) - px(first)}
                height={bottomPx - 8}
                fill={colors.warn}
                opacity={0.05}
              />
              <line
                x1={px(searched.to)}
                x2={px(searched.to)}
                y1={8}
                y2={bottomPx}
                stroke={colors.warn}
                strokeDasharray="2 3"
              />
              <text x={px(searched.to) - 6} y={19} textAnchor="end" fill={colors.warn} fontSize={11}>
                searched
              </text>
              <EndTag x={px(searched.to)} y={15}>
                kept unseen
              </EndTag>
            </>
          )}
          {LINES.map(({ key, look }) => (
            <polyline
              key={key}
              fill="none"
              {...look}
              points={curves[key]
                .flatMap((value, k) => (value === null ? [] : [`${px(t[k]!).toFixed(1)},${py(value).toFixed(1)}`]))
                .join(' ')}
            />
          ))}
          {PAIRS.map((pair) => {
            const [a, b] = pair.map(({ key }) => curves[key].findLastIndex((value) => value !== null))
            const ends = [curves[pair[0].key][a!] ?? 0, curves[pair[1].key][b!] ?? 0] as const
            const heights = tagsApart(py(ends[0]), py(ends[1]))
            return pair.map(({ key, word }, k) => (
              <EndTag key={key} x={px(t[a!]!)} y={heights[k]!} fill={key === 'best' ? colors.text : colors.text2}>
                {t[a!]! < last && `${word.toLowerCase()} `}
                {formatChangePct(ends[k])}
              </EndTag>
            ))
          })}
        </>
      )}
    </PlotFrame>
  )
}

const LUCK = { stroke: colors.warn, strokeWidth: 2 } as const
const GAP_PX = 1

/** How the ratios of all combinations spread, with what luck reaches and the best. */
export function SearchSpread({ result }: { result: SearchResult }) {
  const { points, luck, best } = result
  const bins = spreadOf(points.sharpe)
  const known = bins.reduce((sum, { count }) => sum + count, 0)
  const from = Math.min(bins[0]!.from, luck.sharpe)
  const to = Math.max(bins.at(-1)!.to, luck.sharpe)
  const x = roundAxis([from, to], 5, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  return (
    <Card title={`All ${formatCount(known)}`} facts="Sharpe, searched part">
      <PlotFrame
        label="How many combinations have which Sharpe ratio"
        xTitle=""
        x={x}
        y={roundAxis([0, ...bins.map(({ count }) => count)], 3, [0, Number.POSITIVE_INFINITY])}
        formatX={(value) => formatFixed(value, 1)}
        formatY={formatCount}
        legend={[
          { word: `luck ${formatFixed(luck.sharpe, 2)}`, mark: <path d="M9 0v10" {...LUCK} /> },
          { word: `best ${formatFixed(best.sharpe, 2)}`, mark: <circle cx="9" cy="5" r="3.5" fill={colors.text} /> },
        ]}
        heads={['Sharpe', 'Combinations']}
        rows={bins.map((bin) => ({
          key: bin.from,
          cells: [`${formatFixed(bin.from, 2)} to ${formatFixed(bin.to, 2)}`, formatCount(bin.count)],
        }))}
      >
        {({ x: left, y, bottomPx }) => (
          <>
            {bins.map((bin) => (
              <rect
                key={bin.from}
                x={left(bin.from)}
                width={Math.max(1, left(bin.to) - left(bin.from) - GAP_PX)}
                y={y(bin.count)}
                height={bottomPx - y(bin.count)}
                fill={colors.text3}
                opacity={0.6}
              />
            ))}
            <line x1={left(luck.sharpe)} x2={left(luck.sharpe)} y1={8} y2={bottomPx} {...LUCK} />
            <circle cx={left(best.sharpe)} cy={bottomPx - 6} r={3.5} fill={colors.text} />
          </>
        )}
      </PlotFrame>
    </Card>
  )
}

/** A figure on its scale, as a dot: its interval a line, what it is held against a bar. The words beside it say the same. */
export function FigureScale({
  from,
  to,
  value,
  interval,
  mark,
}: {
  from: number
  to: number
  value: number
  interval?: readonly [number, number] | null | undefined
  mark: number
}) {
  const at = (of: number) => `${(100 * (Math.min(to, Math.max(from, of)) - from)) / (to - from)}%`
  return (
    <svg width="100%" height="14" aria-hidden className={layout.shrinks} style={{ overflow: 'visible', maxWidth: 320 }}>
      <line x1="0" x2="100%" y1="7" y2="7" stroke={colors.hairline} />
      {interval != null && (
        <line x1={at(interval[0])} x2={at(interval[1])} y1="7" y2="7" stroke={colors.text3} strokeWidth={1.5} />
      )}
      <line x1={at(mark)} x2={at(mark)} y1="1" y2="13" stroke={colors.warn} strokeWidth={1.5} />
      <circle cx={at(value)} cy="7" r="3.5" fill={colors.text} />
    </svg>
  )
}
