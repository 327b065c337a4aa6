import { Box, Typography } from '@mui/material'
import type { TrainingJob } from '@shapecast/contracts/trainings'
import { colors } from '#kit/theme/tokens.ts'
import { listRow } from '#kit/ui/page-layout.ts'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { CancelJob } from '#wire/ui/cancel-job.tsx'
import { EndedTraining } from './ended-training.tsx'
import { lossWords, trainingName, trainingPct, trainingWords } from './training-words.ts'

/** One training: how far it is with both losses and a way to stop it, or how it ended. */
export function TrainingRow({ job }: { job: TrainingJob }) {
  const { status } = job
  return status === 'queued' || status === 'running' ? (
    <TrainingUnderWay job={job} />
  ) : (
    <EndedTraining job={{ ...job, status }} />
  )
}

function TrainingUnderWay({ job }: { job: TrainingJob }) {
  const name = trainingName(job)
  return (
    <Box component="li" aria-label={`Training ${name}`} sx={rowStyle}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="div" sx={{ fontWeight: 500, mb: 0.5 }}>
          {name}
        </Typography>
        <ProgressBar words={trainingWords(job)} pct={trainingPct(job)} />
        <Typography component="div" variant="label" sx={{ mt: 0.75, color: colors.text3, fontWeight: 400 }}>
          {lossWords(job.progress) ?? ' '}
        </Typography>
      </Box>
      <CancelJob id={job._id} job={`training of ${name}`} />
    </Box>
  )
}

const rowStyle = {
  ...listRow,
  py: 1.5,
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
} as const
