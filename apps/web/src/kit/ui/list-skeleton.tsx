import { SkeletonBox, SkeletonGroup } from './skeleton.tsx'

/** The rows of a list that is on its way. */
export const ListSkeleton = ({ label, rowHeightPx, rows }: { label: string; rowHeightPx: number; rows: number }) => (
  <SkeletonGroup label={label}>
    <div style={{ padding: 16, display: 'grid', gap: 16 }}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <SkeletonBox key={row} height={rowHeightPx} />
      ))}
    </div>
  </SkeletonGroup>
)
