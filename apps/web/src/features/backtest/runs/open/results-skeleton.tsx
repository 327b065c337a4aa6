import { Column } from '#kit/ui/layout.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import css from './results-skeleton.module.css'

/** The boxes of a run that is on its way. */
export const ResultsSkeleton = () => (
  <SkeletonGroup label="Loading the run">
    <Column gap={2}>
      <SkeletonBox width="60%" height={28} />
      <SkeletonBox height={540} />
      <Column gap={2} className={css.cards}>
        <SkeletonBox height={244} />
        <SkeletonBox height={244} />
      </Column>
    </Column>
  </SkeletonGroup>
)
