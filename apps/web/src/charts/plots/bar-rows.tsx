import { Box, Typography } from '@mui/material'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { ValueTable } from '../value-table.tsx'
import { type Axis, roundAxis } from './linear-scale.ts'

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
    <Box component="figure" sx={{ m: 0, minWidth: 0 }}>
      <Box aria-hidden sx={{ display: 'grid', rowGap: { xs: 1.25, sm: 0.5 } }}>
        {rows.map(({ key, label: name, value, interval: [low, high], text, note, tone }) => (
          <Box key={key} sx={rowStyle}>
            <Typography
              variant="small"
              sx={{ gridColumn: 1, gridRow: 1, minWidth: 0, color: tone === 'quiet' ? colors.text2 : colors.text }}
            >
              {name}
            </Typography>
            <Box sx={figureStyle}>
              {note !== '' && (
                <Typography variant="label" component="span" sx={{ color: colors.text3, fontWeight: 400 }}>
                  {note}
                </Typography>
              )}
              <Typography
                variant="small"
                component="span"
                sx={{
                  minWidth: 72,
                  textAlign: 'right',
                  fontWeight: 500,
                  color: tone === 'quiet' ? colors.text3 : colors.text,
                }}
              >
                {text}
              </Typography>
            </Box>
            <Box sx={trackStyle}>
              {axis.ticks.map((tick) => (
                <Box
                  key={tick}
                  sx={{
                    ...line,
                    left: place(tick),
                    backgroundColor: tick === 0 ? chartColors.initialBalance : chartColors.grid,
                  }}
                />
              ))}
              <Box
                sx={{
                  position: 'absolute',
                  top: 5,
                  height: 12,
                  borderRadius: '2px',
                  left: place(Math.min(0, value)),
                  width: width(0, value),
                  backgroundColor: tint(BAR_TONES[tone], tone === 'quiet' ? 0.55 : 0.7),
                }}
              />
              <Box sx={{ ...whisker, left: place(low), width: width(low, high), color: colors.text2 }} />
            </Box>
          </Box>
        ))}
        {hasTicks && (
          <Box sx={{ ...rowStyle, alignItems: 'start' }}>
            <Box sx={{ ...trackStyle, height: 16 }}>
              {axis.ticks.map((tick) => (
                <Typography
                  key={tick}
                  variant="label"
                  sx={{
                    position: 'absolute',
                    left: place(tick),
                    transform: `translateX(-${100 * alignment(share(tick))}%)`,
                    whiteSpace: 'nowrap',
                    fontWeight: 400,
                    color: chartColors.text,
                  }}
                >
                  {formatTick(tick)}
                </Typography>
              ))}
            </Box>
          </Box>
        )}
      </Box>
      <Box component="figcaption" sx={{ position: 'relative' }}>
        <ValueTable caption={label} heads={heads} rows={rows.map(({ cells }, key) => ({ key, cells }))} />
      </Box>
    </Box>
  )
}

/** Which part of a tick's text lies left of it: the outermost stay within the plot. */
const alignment = (share: number): number => (share < 0.04 ? 0 : share > 0.96 ? 1 : 0.5)

/** Below sm the name and the figure stand over the bar. */
const rowStyle = {
  display: 'grid',
  alignItems: 'center',
  columnGap: 1.5,
  rowGap: 0.25,
  gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(120px, 220px) minmax(0, 1fr) 176px' },
} as const

const figureStyle = {
  gridColumn: { xs: 2, sm: 3 },
  gridRow: 1,
  display: 'flex',
  justifyContent: 'flex-end',
  alignItems: 'baseline',
  gap: 1,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
} as const

const trackStyle = {
  position: 'relative',
  height: 22,
  gridColumn: { xs: '1 / -1', sm: '2' },
  gridRow: { xs: 2, sm: 1 },
} as const

const line = { position: 'absolute', top: 0, bottom: 0, width: '1px' } as const

const whisker = {
  position: 'absolute',
  top: 8,
  height: 6,
  borderLeft: '1px solid',
  borderRight: '1px solid',
  '&::after': { content: '""', position: 'absolute', left: 0, right: 0, top: '2.5px', borderTop: '1px solid' },
} as const
