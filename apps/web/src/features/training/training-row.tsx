import { Box, Button, Typography } from '@mui/material'
import { cancelTraining, type TrainingJob } from '@shapecast/contracts/trainings'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { listRow } from '#kit/ui/page-layout.ts'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
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
  const cancel = useEndpointMutation(cancelTraining)
  const name = trainingName(job)
  return (
    <Box component="li" aria-label={`Training ${name}`} sx={rowStyle}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="div" sx={{ fontWeight: 500, mb: 0.5 }}>
          {name}
        </Typography>
        <ProgressBar words={trainingWords(job)} pct={trainingPct(job)} />
        <Typography component="div" variant="label" sx={{ mt: 0.75, color: colors.text3, fontWeight: 400 }}>
          {cancel.isError ? errorInFull(cancel.error, 'It could not be cancelled.') : (lossWords(job.progress) ?? ' ')}
        </Typography>
      </Box>
      <Button
        variant="text"
        size="small"
        aria-label={`Cancel the training of ${name}`}
        {...busyPress(cancel.isPending, () => cancel.mutate({ params: { id: job._id } }))}
      >
        {cancel.isPending ? 'Cancelling…' : 'Cancel'}
      </Button>
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
