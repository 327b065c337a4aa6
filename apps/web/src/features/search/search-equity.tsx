import type { SearchResult } from '@shapecast/contracts/search'
import { EndTag, TAGS_PX, tagsApart } from '#charts/plots/percent-curves-plot.tsx'
import { PlotFrame } from '#charts/plots/plot-frame.tsx'
import { roundAxis } from '#charts/plots/scales.ts'
import { formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDate, formatMonth } from '#kit/format/time.ts'
import { chartColors, colors } from '#kit/theme/tokens.ts'

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
