import {
  type AreaSeriesPartialOptions,
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  type LineSeriesPartialOptions,
  LineStyle,
  type LineWidth,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import {
  formatDateTimeYear,
  formatDayTick,
  formatHour,
  formatMonth,
  formatYear,
  useTimeZone,
} from '#kit/format/time.ts'
import { painted, useScheme } from '#kit/theme/scheme.ts'
import { chartColors, colors, FONT_FAMILY, tint } from '#kit/theme/tokens.ts'

/** Dash and gap of the LSTM's forecasts, px. */
export const LSTM_DASH = [5, 3] as const

export const CHART_FONT_11 = `11px ${FONT_FAMILY}`

const DAY_MS = 86_400_000

/** The library draws any width; its type names whole pixels only. */
const width = (px: number) => px as LineWidth

/** The date or time at a tick of the time axis: a day with its month, a month with its year. */
function tickTime(ms: number, kind: TickMarkType): string {
  switch (kind) {
    case TickMarkType.Year:
      return formatYear(ms)
    case TickMarkType.Month:
      return formatMonth(ms)
    case TickMarkType.DayOfMonth:
      // The first point of a day may come later, where a curve is thinned.
      return formatDayTick(ms - (ms % DAY_MS))
    case TickMarkType.Time:
    case TickMarkType.TimeWithSeconds:
      return formatHour(ms)
    default:
      return kind satisfies never
  }
}

/** Options of every chart. Zooming and panning are ours, so that their limits are the same for all inputs. */
export function chartLook(): DeepPartial<ChartOptions> {
  const crosshairLine = {
    color: chartColors.crosshair,
    width: 1 as const,
    style: LineStyle.LargeDashed,
    labelBackgroundColor: chartColors.crosshairLabel,
  }
  return painted<DeepPartial<ChartOptions>>({
    autoSize: true,
    // The product writes its numbers and dates one way; a browser's own tag may not even be one that Intl takes.
    localization: {
      locale: 'en-US',
      timeFormatter: (time: UTCTimestamp) => formatDateTimeYear(time * 1000),
    },
    handleScroll: false,
    handleScale: false,
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: chartColors.text,
      fontSize: 11,
      fontFamily: FONT_FAMILY,
      attributionLogo: false,
      panes: { separatorColor: colors.divider, separatorHoverColor: colors.divider, enableResize: false },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: chartColors.grid } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshairLine, horzLine: crosshairLine },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      minimumWidth: 68,
      scaleMargins: { top: 0.12, bottom: 0.06 },
    },
    timeScale: {
      borderColor: colors.divider,
      timeVisible: true,
      secondsVisible: false,
      minBarSpacing: 0.001,
      tickMarkFormatter: (time: Time, kind: TickMarkType) => tickTime(Number(time) * 1000, kind),
    },
  })
}

/** Of charts that show their whole range, in a window of another size too. */
export function fittedLook(): DeepPartial<ChartOptions> {
  const look = chartLook()
  return { ...look, timeScale: { ...look.timeScale, lockVisibleTimeRangeOnResize: true } }
}

/** Of series whose last value has no tag of the library's own. */
export const untagged = { lastValueVisible: false, priceLineVisible: false } as const

export const candleLook: CandlestickSeriesPartialOptions = {
  ...untagged,
  upColor: chartColors.candleUp,
  downColor: chartColors.candleDown,
  wickUpColor: tint(chartColors.candleUp, 0.8),
  wickDownColor: tint(chartColors.candleDown, 0.8),
  borderVisible: false,
}

export const predictionLook: LineSeriesPartialOptions = {
  ...untagged,
  color: chartColors.lstm,
  lineWidth: width(1.5),
  lineStyle: LineStyle.Dashed,
  crosshairMarkerRadius: 3,
}

export const equityLook: LineSeriesPartialOptions = {
  ...untagged,
  color: chartColors.equity,
  lineWidth: width(1.75),
  crosshairMarkerRadius: 3,
}

/** Percent below the highest equity so far. */
export const drawdownLook: AreaSeriesPartialOptions = {
  ...untagged,
  lineColor: tint(colors.down, 0.8),
  topColor: tint(colors.down, 0.05),
  bottomColor: tint(colors.down, 0.28),
  invertFilledArea: true,
  lineWidth: width(1),
  crosshairMarkerRadius: 2,
}

/** A time in ms as the chart library counts it: seconds since 1970, UTC. */
export const utcSeconds = (ms: number): UTCTimestamp => (ms / 1000) as UTCTimestamp

/** What a canvas keeps of the page: its chart is made again when this changes. */
export const useDrawnWith = (): string => `${useScheme()} ${useTimeZone()}`
