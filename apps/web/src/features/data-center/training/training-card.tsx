import { Box, Button } from '@mui/material'
import { useState } from 'react'
import { formatCount } from '../../../shared/format/number.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { TrainingRow } from './training-row.tsx'
import { isUnderWay, shownJobs } from './training-words.ts'
import { useTrainingJobs } from './use-training-jobs.ts'

const FIRST_SHOWN = 3

/** The caller's trainings, those under way first; nothing where there were none. */
export function TrainingCard() {
  const { data } = useTrainingJobs()
  const [areAllShown, setAreAllShown] = useState(false)
  if (data === undefined || data.length === 0) return null
  const jobs = shownJobs(data, areAllShown ? data.length : FIRST_SHOWN)
  const underWay = jobs.filter(isUnderWay).length
  const hidden = data.length - jobs.length
  return (
    <Card
      title="Training"
      flush
      facts={underWay === 0 ? 'the newest' : `${formatCount(underWay)} under way`}
      actions={
        (hidden > 0 || areAllShown) && (
          <Button variant="text" size="small" sx={{ mr: -1 }} onClick={() => setAreAllShown(!areAllShown)}>
            {areAllShown ? 'Show fewer' : `Show ${formatCount(hidden)} more`}
          </Button>
        )
      }
    >
      <Box component="ul" aria-label="Trainings" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {jobs.map((job) => (
          <TrainingRow key={job._id} job={job} nowMs={Date.now()} />
        ))}
      </Box>
    </Card>
  )
}
