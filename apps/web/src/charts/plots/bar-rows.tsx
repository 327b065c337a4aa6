import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ValueTable } from '../value-table.tsx'
import css from './bar-rows.module.css'
import { type Axis, roundAxis } from './scales.ts'

export interface BarRow {
  readonly key: string
  readonly label: string
  readonly value: number
  readonly interval: readonly [number, number]
  /** The figure at the end of the row. */
  readonly text: string
  /** A quiet word under it; empty where the bar says it all. */
  readonly note: string
  /** Quiet bars are those that say nothing for certain; their `note` says so too. */
  readonly tone: 'plain' | 'quiet' | 'against'
  /** The row in figures, for those who cannot see it. */
  readonly cells: readonly [string, ...string[]]
}

export interface BarRowsProps {
  /** What is seen, for a screen reader, and the caption of the figures. */
  label: string
  rows: readonly BarRow[]
  axis: Axis
  formatTick: (value: number) => string
  heads: readonly string[]
  /** Whether the axis' figures stand below. */
  hasTicks?: boolean
}

const BAR_TONES = { plain: colors.accent, quiet: colors.fieldHover, against: colors.warn } as const

/** An axis that holds 0, every bar and every interval, and little beside; its ticks are round. */
export function barAxis(rows: readonly Pick<BarRow, 'value' | 'interval'>[]): Axis {
  const values = [0, ...rows.flatMap(({ value, interval }) => [value, ...interval])]
  const { from: first, to: last, ticks } = roundAxis(values, 4, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (low === high) return { from: first, to: last, ticks }
  const room = 0.02 * (high - low)
  const [from, to] = [low - room, high + room]
  return { from, to, ticks: ticks.filter((tick) => tick >= from && tick <= to) }
}

/** Bars that lie, one below the other, each with its 95 % interval; their axis has 0 in it. */
export function BarRows({ label, rows, axis, formatTick, heads, hasTicks = true }: BarRowsProps) {
  const share = (value: number): number => (value - axis.from) / (axis.to - axis.from)
  const place = (value: number): string => `${100 * share(value)}%`
  const width = (from: number, to: number): string => `${(100 * Math.abs(to - from)) / (axis.to - axis.from)}%`
  return (
    <figure className={layout.shrinks}>
      <div aria-hidden className={css.rows}>
        {rows.map(({ key, label: name, value, interval: [low, high], text, note, tone }) => (
          <div key={key} className={css.row}>
            <Text size="small" tone={tone === 'quiet' ? 'text2' : 'text'} className={css.name}>
              {name}
            </Text>
            <Row gap={1} align="baseline" className={css.figure}>
              {note !== '' && <Note as="span">{note}</Note>}
              <Text
                as="span"
                size="small"
                tone={tone === 'quiet' ? 'text3' : 'text'}
                weight={500}
                className={css.value}
              >
                {text}
              </Text>
            </Row>
            <div className={css.track}>
              {axis.ticks.map((tick) => (
                <div
                  key={tick}
                  className={css.line}
                  style={{
                    left: place(tick),
                    backgroundColor: tick === 0 ? chartColors.initialBalance : chartColors.grid,
                  }}
                />
              ))}
              <div
                className={css.bar}
                style={{
                  left: place(Math.min(0, value)),
                  width: width(0, value),
                  backgroundColor: tint(BAR_TONES[tone], tone === 'quiet' ? 0.55 : 0.7),
                }}
              />
              <div className={css.interval} style={{ left: place(low), width: width(low, high) }} />
            </div>
          </div>
        ))}
        {hasTicks && (
          <div className={`${css.row} ${css.scale}`}>
            <div className={`${css.track} ${css.ticks}`}>
              {axis.ticks.map((tick) => (
                <Note
                  as="span"
                  key={tick}
                  className={css.tick}
                  style={{ left: place(tick), transform: `translateX(-${100 * alignment(share(tick))}%)` }}
                >
                  {formatTick(tick)}
                </Note>
              ))}
            </div>
          </div>
        )}
      </div>
      <figcaption>
        <ValueTable caption={label} heads={heads} rows={rows.map(({ cells }, key) => ({ key, cells }))} />
      </figcaption>
    </figure>
  )
}

/** Which part of a tick's text lies left of it: the outermost stay within the plot. */
const alignment = (share: number): number => (share < 0.04 ? 0 : share > 0.96 ? 1 : 0.5)
