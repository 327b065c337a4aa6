import layout from '#kit/ui/layout.module.css'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import css from './shell.module.css'

/** The place of a page whose code or session is on its way. */
export const PageSkeleton = () => (
  <SkeletonGroup label="Loading the page">
    <h1 className={layout.visuallyHidden}>Loading the page</h1>
    <div className={css.skeleton}>
      <SkeletonBox width={180} height={28} />
      <div className={`${css.skeleton} ${css.skeletonCards}`}>
        <SkeletonBox height={320} />
        <SkeletonBox height={320} />
      </div>
    </div>
  </SkeletonGroup>
)
