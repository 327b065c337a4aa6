import type { Progress } from './kind.ts'

/**
 * Adds to what a job shows how long the rest should take at its pace since the first look (`leftS`, seconds; null before
 * there is one). What the job says of it by itself stays.
 */
export function createTimeLeft(): <Shown extends Progress>(progress: Shown) => Shown & { leftS?: number | null } {
  let begun: { readonly at: number; readonly current: number } | undefined
  return (progress) => {
    const { current, total } = progress
    const at = performance.now()
    begun ??= { at, current }
    const made = current - begun.current
    const leftS = made > 0 ? Math.ceil(((at - begun.at) / made / 1000) * (total - current)) : null
    return { leftS, ...progress }
  }
}
