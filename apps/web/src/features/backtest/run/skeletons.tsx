import type { CSSProperties } from 'react'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Column, Columns } from '#kit/ui/primitives.tsx'
import css from './parameters-panel.module.css'

/** What stands above or around the control of each field of a bot's test, in px: nothing below moves when they come. */
const BESIDES_CONTROL = { mode: 26, bot: 22, days: 22, candles: 22, costs: 22, run: 0 }
const FACTS_AND_SWITCH = 178
const FOLDED = 58

/** The place of the form while it is not known what can be chosen. */
export const ParametersSkeleton = ({ isFolded }: { isFolded: boolean }) => (
  <SkeletonGroup label="Loading the parameters">
    {isFolded ? (
      <SkeletonBox height={FOLDED} />
    ) : (
      <Column gap={1.5} className={css.waiting}>
        {Object.entries(BESIDES_CONTROL).map(([field, height]) => (
          <div key={field} className={css.waitingField} style={{ '--control-height': `${height}px` } as CSSProperties}>
            <SkeletonBox height="100%" />
          </div>
        ))}
        <SkeletonBox height={FACTS_AND_SWITCH} />
      </Column>
    )}
  </SkeletonGroup>
)

/** The boxes of a run that is on its way. */
export const ResultsSkeleton = () => (
  <SkeletonGroup label="Loading the run">
    <Column gap={2}>
      <SkeletonBox width="60%" height={28} />
      <SkeletonBox height={540} />
      <Columns gap={2} at={{ md: '1fr 280px' }}>
        <SkeletonBox height={244} />
        <SkeletonBox height={244} />
      </Columns>
    </Column>
  </SkeletonGroup>
)
