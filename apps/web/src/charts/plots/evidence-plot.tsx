import { formatCount, formatFixed, formatUpTo } from '#kit/format/number.ts'
import { formatDay, formatExactTime, formatTableTime, zoneWords } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE } from './plot-marks.tsx'
import { logOf, powerAxis } from './scales.ts'

export interface EvidencePath {
  readonly word: string
  /** Time in ms and e-value, in order of time. */
  readonly points: readonly { readonly ts: number; readonly e: number }[]
}

/** Paths are told apart by their pattern before their colour. */
const LOOKS = [
  { stroke: colors.accent, strokeWidth: 1.75 },
  { stroke: colors.text, strokeWidth: 1.5, strokeDasharray: '6 3' },
  { stroke: colors.sand, strokeWidth: 1.5, strokeDasharray: '1.5 2.5' },
] as const

const TICKS = 6
/** Over a shorter time the days alone do not tell the candles apart. */
const CLOCK_BELOW_MS = 3 * 86_400_000
const TABLE_ROWS = 24
const FOOT = 1e-2
const HEAD = 100
const MOST = 1e6

/** `0.43`, `12.6`, `340`, `over 1,000,000`. */
export function formatEvidence(e: number): string {
  if (e >= MOST) return `over ${formatCount(MOST)}`
  return e >= 100 ? formatCount(e) : formatFixed(e, e >= 10 ? 1 : 2)
}

const power = (log: number): string =>
  log > 3 ? `10${[...String(log)].map((d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)]).join('')}` : formatUpTo(10 ** log, 3)

/** At most `most` of the rows, evenly, the last one among them. */
function some<T>(rows: readonly T[], most: number): readonly T[] {
  const every = Math.max(1, Math.ceil(rows.length / most))
  return rows.filter((_, i) => (rows.length - 1 - i) % every === 0)
}

/** Evidence over time on a logarithmic axis, against the line from which on it speaks. Paths must not all be empty. */
export function EvidencePlot({
  label,
  paths,
  line,
  unit = 'Candle',
}: {
  label: string
  /** What the points are of. */
  unit?: 'Candle' | 'Day'
  paths: readonly EvidencePath[]
  line: { readonly word: string; readonly e: number }
}) {
  const times = [...new Set(paths.flatMap(({ points }) => points.map(({ ts }) => ts)))].sort((a, b) => a - b)
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const span = Math.max(1, last - first)
  const evidence = paths.flatMap(({ points }) => points.map(({ e }) => Math.max(FOOT, e)))
  return (
    <PlotFrame
      label={label}
      xTitle={`${unit}, ${zoneWords()}`}
      x={{
        from: first,
        to: first + span,
        ticks: some(times, TICKS),
      }}
      y={powerAxis(evidence, FOOT * 10, HEAD)}
      formatX={span < CLOCK_BELOW_MS ? formatTableTime : formatDay}
      formatY={power}
      legend={[
        ...paths.map(({ word }, i) => ({ word, mark: <path d="M0 5h18" fill="none" {...LOOKS[i % LOOKS.length]} /> })),
        { word: line.word, mark: MARKS.reference },
      ]}
      heads={['Claim', unit, 'Evidence']}
      rows={paths
        .flatMap(({ word, points }) => some(points, TABLE_ROWS).map(({ ts, e }) => ({ word, ts, e })))
        .map(({ word, ts, e }, key) => ({ key, cells: [word, formatExactTime(ts), formatEvidence(e)] }))}
    >
      {({ x, y, widthPx }) => (
        <>
          <line x1={x(first)} x2={widthPx} y1={y(logOf(line.e))} y2={y(logOf(line.e))} {...REFERENCE} />
          {paths.map(({ word, points }, i) =>
            points.length === 0 ? null : (
              <path
                key={word}
                d={`M${points.map(({ ts, e }) => `${x(ts).toFixed(1)} ${y(logOf(e, FOOT)).toFixed(1)}`).join('L')}`}
                fill="none"
                strokeLinejoin="round"
                {...LOOKS[i % LOOKS.length]}
              />
            ),
          )}
        </>
      )}
    </PlotFrame>
  )
}
