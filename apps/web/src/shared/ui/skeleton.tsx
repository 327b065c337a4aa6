import { Skeleton as MuiSkeleton } from '@mui/material'
import { type ReactNode, useEffect, useState } from 'react'

const DELAY_MS = 150

/** Shows `children` once waiting has lasted 150 ms, so that a quick reply does not flash boxes. */
function AfterDelay({ children }: { children: ReactNode }) {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return isDue ? children : null
}

/** A box in the place of content that is on its way. Wrap a group of them in `SkeletonGroup`. */
export const SkeletonBox = ({ width = '100%', height = 16 }: { width?: number | string; height?: number | string }) => (
  <MuiSkeleton width={width} height={height} />
)

/** The boxes of one region: hidden for 150 ms, and announced as loading. */
export const SkeletonGroup = ({ label = 'Loading', children }: { label?: string; children: ReactNode }) => (
  <div role="status" aria-label={label}>
    <AfterDelay>{children}</AfterDelay>
  </div>
)
