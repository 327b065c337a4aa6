import layout from '#kit/ui/layout.module.css'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'

/** The cards of a model page that is on its way. */
export const ModelSkeleton = () => (
  <SkeletonGroup label="Loading the model">
    <div className={layout.pageColumn}>
      <SkeletonBox height={420} />
      <SkeletonBox height={420} />
      <div className={layout.twoCards}>
        <SkeletonBox height={280} />
        <SkeletonBox height={280} />
      </div>
    </div>
  </SkeletonGroup>
)
