import { Box, Button, Link, Typography } from '@mui/material'
import { cancelTraining, type TrainingJob, trainingJobs } from '@shapecast/contracts/ml'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleSlash } from 'lucide-react'
import { Link as RouterLink } from 'react-router'
import { errorText } from '../../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../../shared/api/use-endpoint.ts'
import { formatAgo, formatExactTime } from '../../../shared/format/time.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx'
import { modelPage } from '../view.ts'
import { isUnderWay, lossWords, trainingPct, trainingWords } from './training-words.ts'

const ENDED = {
  completed: <CircleCheck size={14} color={colors.accentHi} />,
  failed: <CircleAlert size={14} color={colors.down} />,
  cancelled: <CircleSlash size={14} color={colors.text3} />,
} as const

/** One training: how far it is with both losses and a way to stop it, or how it ended. */
export function TrainingRow({ job, nowMs }: { job: TrainingJob; nowMs: number }) {
  const queryClient = useQueryClient()
  const cancel = useEndpointMutation(cancelTraining, {
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointKey(trainingJobs) }),
  })
  const name = `${job.version} on ${job.symbol} ${job.timeframe}`
  const losses = lossWords(job.progress)
  const words = trainingWords(job)
  if (job.status === 'queued' || job.status === 'running')
    return (
      <Box component="li" aria-label={`Training ${name}`} sx={{ ...rowStyle, py: 1.5 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography component="div" sx={{ fontWeight: 500, mb: 0.5 }}>
            {name}
          </Typography>
          <ProgressBar words={words} pct={trainingPct(job)} />
          <Typography component="div" variant="label" sx={lineStyle}>
            {cancel.isError ? errorText(cancel.error, 'It could not be cancelled.') : (losses ?? ' ')}
          </Typography>
        </Box>
        <Button
          variant="text"
          size="small"
          disabled={cancel.isPending}
          aria-label={`Cancel the training of ${name}`}
          onClick={() => cancel.mutate({ params: { id: job._id } })}
        >
          {cancel.isPending ? 'Cancelling…' : 'Cancel'}
        </Button>
      </Box>
    )
  const detail = isUnderWay(job) ? null : job.status === 'completed' ? losses : null
  return (
    <Box component="li" sx={{ ...rowStyle, minHeight: 48, py: 0.75 }}>
      <Box sx={{ display: 'flex' }}>{ENDED[job.status]}</Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="span" sx={{ mr: 1, fontWeight: 500 }}>
          {job.status === 'completed' ? (
            <Link component={RouterLink} to={modelPage(job.version, job.artifactId)}>
              {name}
            </Link>
          ) : (
            name
          )}
        </Typography>
        <Typography component="span" variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
          {words}
          {detail !== null && ` · ${detail}`}
        </Typography>
      </Box>
      <Typography
        component="span"
        variant="label"
        title={formatExactTime(job.createdAt)}
        sx={{ color: colors.text3, fontWeight: 400, whiteSpace: 'nowrap' }}
      >
        {formatAgo(job.createdAt, nowMs)}
      </Typography>
    </Box>
  )
}

const rowStyle = {
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
  px: 2,
  borderTop: `1px solid ${colors.divider}`,
  '&:first-of-type': { borderTop: 0 },
} as const
const lineStyle = { mt: 0.75, color: colors.text3, fontWeight: 400 } as const
