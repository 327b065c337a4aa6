import type { ReactNode } from 'react'
import { formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDate, formatMonth } from '#kit/format/time.ts'
import { chartColors, colors } from '#kit/theme/tokens.ts'
import { PlotFrame } from './plot-frame.tsx'
import { roundAxis, type Scale } from './scales.ts'

const OWN = { stroke: colors.text, strokeWidth: 1.5, fill: 'none' } as const
const HOLD = { stroke: chartColors.emaSlow, strokeWidth: 1.25, fill: 'none' } as const
const TICKS = 5
const MOST_ROWS = 24
const MOST_NUMBERED = 20
const TOP_PX = 8

/** Something beside holding, in percent over the beginning, at times in ms. */
export function PercentCurvesPlot({
  label,
  name,
  holdName = 'Buy and hold',
  t,
  own,
  hold,
  parts = [],
  ends = [own.at(-1) ?? 0, hold.at(-1) ?? 0],
}: {
  label: string
  /** Of the first curve. */
  name: string
  holdName?: string
  t: readonly number[]
  own: readonly number[]
  hold: readonly number[]
  /** What both came to, where the curves end before that. */
  ends?: readonly [own: number, hold: number]
  /** Stretches of it (ms), which are numbered and told apart by lines. */
  parts?: readonly { readonly from: number; readonly to: number }[]
}) {
  const [from, to] = [t[0] ?? 0, t.at(-1) ?? 1]
  const path = (values: readonly number[], x: Scale, y: Scale) =>
    `M${values.map((value, i) => `${x(t[i]!).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`
  const every = Math.ceil(t.length / MOST_ROWS)
  return (
    <PlotFrame
      label={label}
      xTitle=""
      leftPx={52}
      rightPx={TAGS_PX}
      x={{ from, to, ticks: Array.from({ length: TICKS }, (_, k) => from + ((k + 0.5) / TICKS) * (to - from)) }}
      y={roundAxis([0, ...own, ...hold], 5, [-100, Number.POSITIVE_INFINITY])}
      formatX={formatMonth}
      formatY={(value) => `${formatSigned(value, 0)}%`}
      legend={[
        { word: name, mark: <path d="M0 5h18" {...OWN} /> },
        { word: holdName, mark: <path d="M0 5h18" {...HOLD} /> },
      ]}
      heads={['Day', name, holdName]}
      rows={t.flatMap((time, i) =>
        i % every === 0 || i === t.length - 1
          ? [{ key: time, cells: [formatDate(time), formatChangePct(own[i]), formatChangePct(hold[i])] as const }]
          : [],
      )}
    >
      {({ x, y, bottomPx }) => (
        <>
          {parts.map((part, k) => (
            <g key={part.from}>
              {k > 0 && <line x1={x(part.from)} x2={x(part.from)} y1={TOP_PX} y2={bottomPx} stroke={colors.hairline} />}
              {parts.length <= MOST_NUMBERED && (
                <text
                  x={x((part.from + part.to) / 2)}
                  y={TOP_PX + 10}
                  textAnchor="middle"
                  fill={colors.text3}
                  fontSize={11}
                >
                  {k + 1}
                </text>
              )}
            </g>
          ))}
          <line x1={x(from)} x2={x(to)} y1={y(0)} y2={y(0)} stroke={chartColors.initialBalance} strokeDasharray="2 3" />
          <path d={path(hold, x, y)} {...HOLD} />
          <path d={path(own, x, y)} {...OWN} />
          <EndTag x={x(to)} y={tagsApart(y(ends[0]), y(ends[1]))[0]} fill={colors.text}>
            {formatChangePct(ends[0])}
          </EndTag>
          <EndTag x={x(to)} y={tagsApart(y(ends[0]), y(ends[1]))[1]}>
            {formatChangePct(ends[1])}
          </EndTag>
        </>
      )}
    </PlotFrame>
  )
}

/** Room for tags at the right of a plot, px. */
export const TAGS_PX = 62
const LINE_PX = 13

/** The heights of two tags, moved apart where they would meet. */
export function tagsApart(a: number, b: number): [number, number] {
  const lack = Math.max(0, LINE_PX - Math.abs(a - b)) / 2
  return a <= b ? [a - lack, b + lack] : [a + lack, b - lack]
}

/** What a curve has come to, after its end. */
export const EndTag = ({
  x,
  y,
  fill = colors.text2,
  children,
}: {
  x: number
  y: number
  fill?: string
  children: ReactNode
}) => (
  <text x={x + 6} y={y + 4} fill={fill} fontSize={11}>
    {children}
  </text>
)
