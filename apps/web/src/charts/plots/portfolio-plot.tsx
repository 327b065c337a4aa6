import type { PortfolioHistory } from '@shapecast/contracts/portfolio'
import { formatSigned } from '#kit/format/number.ts'
import { formatDayTick, formatHour } from '#kit/format/time.ts'
import css from './portfolio-plot.module.css'
import { linearScale, roundAxis } from './scales.ts'

const [WIDTH, HEIGHT] = [600, 100]
const TICKS = 4
const LEVELS = 2
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Of ascending times the day of each, or the hour where the one before has the same day. */
const tickWords = (times: readonly number[]): string[] =>
  times.map((t, i) =>
    i > 0 && Math.floor(t / DAY_MS) === Math.floor(times[i - 1]! / DAY_MS)
      ? formatHour(t - (t % HOUR_MS))
      : formatDayTick(t - (t % DAY_MS)),
  )

/** How bots did together beside their pairs held, percent since the first point. */
export function PortfolioPlot({ history, label }: { history: PortfolioHistory; label: string }) {
  const { points, hold } = history
  const [from, to] = [points[0]!.t, points.at(-1)!.t]
  const values = [...points, ...hold].map(({ pct }) => pct)
  const {
    from: low,
    to: high,
    ticks,
  } = roundAxis([0, ...values], LEVELS, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  const x = linearScale(from, to, 0, WIDTH)
  const y = linearScale(low, high, HEIGHT, 0)
  const line = (drawn: PortfolioHistory['points']) =>
    drawn.map(({ t, pct }) => `${x(t).toFixed(1)},${y(pct).toFixed(1)}`).join(' ')
  return (
    <figure className={css.plot} role="img" aria-label={label}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} className={css.zero} />
        {hold.length > 1 && <polyline points={line(hold)} className={css.hold} />}
        <polyline points={line(points)} className={css.own} />
      </svg>
      <div className={css.levels} aria-hidden="true">
        {ticks.map((level) => (
          <span key={level} style={{ top: `${y(level)}%` }}>
            {formatSigned(level, Number.isInteger(ticks[1]! - ticks[0]!) ? 0 : 1)}%
          </span>
        ))}
      </div>
      <div className={css.days} aria-hidden="true">
        {tickWords(Array.from({ length: TICKS }, (_, i) => from + ((to - from) * (i + 0.5)) / TICKS)).map(
          (words, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: it is their place
            <span key={i}>{words}</span>
          ),
        )}
      </div>
    </figure>
  )
}
