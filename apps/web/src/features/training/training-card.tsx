import { Button } from '@mui/material'
import type { TrainingJob } from '@shapecast/contracts/trainings'
import { memo, useState } from 'react'
import { formatCount } from '#kit/format/number.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { useUser } from '#wire/session/auth-context.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { TrainingRow } from './training-row.tsx'
import { isUnderWay, shownJobs } from './training-words.ts'
import { useTrainingJobs } from './use-training-jobs.ts'

const FIRST_SHOWN = 3

const NO_JOBS: readonly TrainingJob[] = []

/** The caller's trainings, those under way first; not for visitors, who have none. */
export const TrainingCard = memo(function TrainingCard() {
  const isSignedIn = useUser() !== null
  const reply = useTrainingJobs()
  const [areAllShown, setAreAllShown] = useState(false)
  if (!isSignedIn) return null
  const all = reply.data ?? NO_JOBS
  const jobs = shownJobs(all, areAllShown ? all.length : FIRST_SHOWN)
  const underWay = jobs.filter(isUnderWay).length
  const hidden = all.length - jobs.length
  return (
    <Card
      title="Training"
      flush
      facts={underWay > 0 ? `${formatCount(underWay)} under way` : all.length > 0 ? 'the newest' : undefined}
      actions={
        (hidden > 0 || areAllShown) && (
          <Button
            variant="text"
            size="small"
            aria-expanded={areAllShown}
            style={{ marginRight: -8 }}
            onClick={() => setAreAllShown(!areAllShown)}
          >
            {areAllShown ? 'Show fewer' : `Show ${formatCount(hidden)} more`}
          </Button>
        )
      }
    >
      {jobs.length > 0 && (
        <ul aria-label="Trainings" className={layout.list}>
          {jobs.map((job) => (
            <TrainingRow key={job._id} job={job} />
          ))}
        </ul>
      )}
      {reply.data?.length === 0 && <EmptyLine>No training of yours yet. 'Train latest' starts one.</EmptyLine>}
      <Awaited reply={reply} title="The trainings could not be loaded" inset>
        <ListSkeleton label="Loading the trainings" rowHeightPx={40} rows={FIRST_SHOWN} />
      </Awaited>
    </Card>
  )
})
