export interface AlertLevel {
  readonly level: number
  readonly direction: 'above' | 'below'
}

/**
 * Whether a value has passed a level since it was looked at last: reaching it counts. Lying beyond it does not, nor does
 * the first look, `before` of which is null.
 */
export const crosses = ({ level, direction }: AlertLevel, before: number | null, now: number): boolean =>
  before !== null && (direction === 'above' ? before < level && now >= level : before > level && now <= level)

/** Whether an alert that rang at `rangAtMs` may ring again. */
export const hasRested = (rangAtMs: number | null, restMinutes: number, nowMs: number): boolean =>
  rangAtMs === null || nowMs - rangAtMs >= restMinutes * 60_000
