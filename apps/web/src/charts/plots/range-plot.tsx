import type { RangeRow } from '@shapecast/contracts/predictions'
import { formatPrice } from '#kit/format/money.ts'
import { formatTableTime } from '#kit/format/time.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
import { PlotFrame } from './plot-frame.tsx'
import { roundAxis } from './scales.ts'

/** Whether a close landed outside the range that was told for it. */
export const isOutside = ({ low, high, close }: RangeRow): boolean => close !== null && (close < low || close > high)

const CLOSE = { stroke: colors.text, strokeWidth: 1.5, fill: 'none' } as const
const EDGE = { stroke: tint(colors.accent, 0.55), strokeWidth: 1, fill: tint(colors.accent, 0.18) } as const
const RING = { stroke: colors.warn, strokeWidth: 2, fill: colors.surface } as const

/** The 90 % range of each close as it was told one candle before, the closes, and those that landed outside. */
export function RangePlot({
  label,
  rows,
  tickSize,
}: {
  label: string
  rows: readonly RangeRow[]
  tickSize: number | undefined
}) {
  const first = rows[0]?.time ?? 0
  const step = (rows[1]?.time ?? first + 1) - first
  const at = (i: number) => rows[i]?.time ?? first
  const price = (value: number) => formatPrice(value, tickSize)
  const known = rows.flatMap(({ time, close }) => (close === null ? [] : [{ time, close }]))
  return (
    <PlotFrame
      label={label}
      xTitle=""
      leftPx={68}
      x={{ from: first - step / 2, to: at(rows.length - 1) + step / 2, ticks: rows.map(({ time }) => time) }}
      y={roundAxis(
        rows.flatMap(({ low, high, close }) => [low, high, close ?? low]),
        5,
        [0, Number.POSITIVE_INFINITY],
      )}
      formatX={formatTableTime}
      formatY={price}
      legend={[
        { word: 'Close', mark: <path d="M0 5h18" {...CLOSE} /> },
        { word: '90% range, told one candle before', mark: <path d="M0 0h18v10H0z" {...EDGE} /> },
        { word: 'Outside', mark: <circle cx="9" cy="5" r="3.5" {...RING} /> },
      ]}
      heads={['Candle', 'From', 'To', 'Close', 'Outside']}
      rows={rows.map((row) => ({
        key: row.time,
        cells: [
          formatTableTime(row.time),
          price(row.low),
          price(row.high),
          row.close === null ? 'not yet' : price(row.close),
          isOutside(row) ? 'yes' : 'no',
        ],
      }))}
    >
      {({ x, y }) => {
        const half = (x(first + step) - x(first)) / 2
        return (
          <>
            {rows.map(({ time, low, high }) => (
              <rect key={time} x={x(time) - half} width={2 * half} y={y(high)} height={y(low) - y(high)} {...EDGE} />
            ))}
            <path d={`M${known.map(({ time, close }) => `${x(time)} ${y(close)}`).join('L')}`} {...CLOSE} />
            {rows.map((row) =>
              isOutside(row) && row.close !== null ? (
                <circle key={row.time} cx={x(row.time)} cy={y(row.close)} r="4" {...RING} />
              ) : null,
            )}
          </>
        )
      }}
    </PlotFrame>
  )
}
