import { Box } from '@mui/material'
import { formatCount } from '../../../shared/format/number.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { TrainingRow } from './training-row.tsx'
import { isUnderWay, shownJobs } from './training-words.ts'
import { useTrainingJobs } from './use-training-jobs.ts'

const MOST_SHOWN = 5

/** The caller's trainings, those under way first; nothing where there were none. */
export function TrainingCard() {
  const { data } = useTrainingJobs()
  if (data === undefined || data.length === 0) return null
  const jobs = shownJobs(data, MOST_SHOWN)
  const underWay = jobs.filter(isUnderWay).length
  return (
    <Card title="Training" flush facts={underWay === 0 ? 'the newest' : `${formatCount(underWay)} under way`}>
      <Box component="ul" aria-label="Trainings" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {jobs.map((job) => (
          <TrainingRow key={job._id} job={job} nowMs={Date.now()} />
        ))}
      </Box>
    </Card>
  )
}
