import type { ReactNode } from 'react'
import layout from './layout.module.css'
import { Column } from './primitives.tsx'
import css from './skeleton.module.css'

/** The rows of a list that is on its way. */
export const ListSkeleton = ({ label, rowHeightPx, rows }: { label: string; rowHeightPx: number; rows: number }) => (
  <SkeletonGroup label={label}>
    <Column gap={2} className={layout.inset}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <SkeletonBox key={row} height={rowHeightPx} />
      ))}
    </Column>
  </SkeletonGroup>
)

/** A box in the place of content that is on its way. Wrap a group of them in `SkeletonGroup`. */
export const SkeletonBox = ({ width = '100%', height = 16 }: { width?: number | string; height?: number | string }) => (
  <span className={css.box} style={{ width, height }} />
)

/** The boxes of one region, or one box of a height: unseen for 150 ms, and announced as loading. */
export const SkeletonGroup = ({
  label = 'Loading',
  height,
  children,
}: {
  label?: string
  height?: number | string
  children?: ReactNode
}) => (
  <div role="status" aria-label={label} className={css.group}>
    {height === undefined ? children : <SkeletonBox height={height} />}
  </div>
)
