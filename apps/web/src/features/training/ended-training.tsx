import { Box, Button, Link, Typography } from '@mui/material'
import { repeatTraining, type TrainingJob } from '@shapecast/contracts/trainings'
import { CircleAlert, CircleCheck, CircleSlash, RotateCcw } from 'lucide-react'
import { Link as RouterLink } from 'react-router'
import { elsewhere } from '#entities/markets/elsewhere.ts'
import { sentence } from '#kit/format/sentence.ts'
import { colors } from '#kit/theme/tokens.ts'
import { touchAlone } from '#kit/theme/touch.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { listRow } from '#kit/ui/page-layout.ts'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { outcomeWords, trainingName, trainingWords } from './training-words.ts'

const MARKS = {
  completed: <CircleCheck size={14} color={colors.accentHi} />,
  failed: <CircleAlert size={14} color={colors.down} />,
  cancelled: <CircleSlash size={14} color={colors.text3} />,
} as const

/** How a training ended: what came of its artifact and why, or its failure and a way to try again. */
export function EndedTraining({ job }: { job: TrainingJob & { status: keyof typeof MARKS } }) {
  const repeat = useEndpointMutation(repeatTraining)
  const { outcome } = job
  const where = elsewhere(job, useHealth().data?.venue)
  const name = trainingName(job)
  const details = outcome?.verdict == null ? [] : [sentence(outcome.verdict)]
  return (
    <Box component="li" data-row={job._id} aria-label={`Training ${name}`} sx={rowStyle}>
      <Box sx={{ gridArea: 'mark', display: 'flex', pt: '3px' }}>{MARKS[job.status]}</Box>
      <Box sx={headStyle}>
        <Typography component="span" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
          {job.status === 'completed' ? (
            <Link component={RouterLink} to={paths.model(job.version, job.artifactId)} sx={touchAlone}>
              {name}
            </Link>
          ) : (
            name
          )}
        </Typography>
        <Typography component="span" variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
          {trainingWords(job)}
          {where !== null && ` ${where}`}
          {outcome !== null && `: ${outcomeWords(outcome, where !== null)}`}
        </Typography>
        {outcome !== null && outcome.decision !== 'first' && (
          <Link component={RouterLink} variant="small" to={paths.model(job.version, job.artifactId)} sx={touchAlone}>
            See both
          </Link>
        )}
      </Box>
      <Box sx={{ gridArea: 'rest', minWidth: 0, pl: 1.5 }}>
        {details.map((text) => (
          <Typography key={text} component="div" variant="label" sx={detailStyle}>
            {text}
          </Typography>
        ))}
        {repeat.isError && (
          <Typography component="div" variant="label" role="alert" sx={{ ...detailStyle, color: colors.down }}>
            {errorInFull(repeat.error, 'It could not be started.')}
          </Typography>
        )}
      </Box>
      {job.status !== 'completed' && (
        <Button
          variant="text"
          size="small"
          startIcon={<RotateCcw />}
          sx={{ gridArea: 'again', justifySelf: 'start', mt: { xs: 0.5, sm: -0.5 }, ml: { xs: 0.25, sm: 1.5 } }}
          aria-label={`Train again: ${name}`}
          {...busyPress(repeat.isPending, () => repeat.mutate({ params: { id: job._id } }))}
        >
          {repeat.isPending ? 'Starting…' : 'Train again'}
        </Button>
      )}
      <Typography
        component="span"
        variant="label"
        sx={{ gridArea: 'time', pl: 1.5, pt: '2px', color: colors.text3, fontWeight: 400, whiteSpace: 'nowrap' }}
      >
        <Ago ms={job.createdAt} />
      </Typography>
    </Box>
  )
}

/** Below sm what came of it and the button have the width to themselves. */
const rowStyle = {
  ...listRow,
  display: 'grid',
  alignItems: 'start',
  gridTemplateAreas: {
    xs: '"mark head time" ". rest rest" ". again again"',
    sm: '"mark head again time" ". rest rest rest"',
  },
  gridTemplateColumns: { xs: 'auto minmax(0, 1fr) auto', sm: 'auto minmax(0, 1fr) auto auto' },
  minHeight: 48,
} as const
const headStyle = {
  gridArea: 'head',
  pl: 1.5,
  minWidth: 0,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 1,
  rowGap: 0.25,
} as const
const detailStyle = { mt: 0.25, color: colors.text3, fontWeight: 400, overflowWrap: 'anywhere' } as const
