import type { TrackRecord } from '@shapecast/contracts/track-record'

export type WidestSeries = TrackRecord['series'][number]

/** The series with most outcomes among those whose range was judged. */
export const widestSeries = (series: TrackRecord['series']): WidestSeries | undefined =>
  series.filter(({ coverage }) => coverage.length > 0).toSorted((a, b) => b.scores.outcomes - a.scores.outcomes)[0]
