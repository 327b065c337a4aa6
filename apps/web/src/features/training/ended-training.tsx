import { repeatTraining, type TrainingJob } from '@shapecast/contracts/trainings'
import { CircleAlert, CircleCheck, CircleSlash, RotateCcw } from 'lucide-react'
import { Link as RouterLink } from 'react-router'
import { elsewhere } from '#entities/markets/elsewhere.ts'
import { sentence } from '#kit/format/sentence.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link } from '#kit/ui/link.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import css from './ended-training.module.css'
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
    <li data-row={job._id} aria-label={`Training ${name}`} className={`${layout.listRow} ${css.row}`}>
      <div style={{ gridArea: 'mark', display: 'flex', paddingTop: 3 }}>{MARKS[job.status]}</div>
      <div className={css.head}>
        <Text as="span" weight={500} breaks>
          {job.status === 'completed' ? (
            <Link as={RouterLink} to={paths.model(job.version, job.artifactId)} className={layout.touchAlone}>
              {name}
            </Link>
          ) : (
            name
          )}
        </Text>
        <Text as="span" size="small" tone="text2" breaks>
          {trainingWords(job)}
          {where !== null && ` ${where}`}
          {outcome !== null && `: ${outcomeWords(outcome, where !== null)}`}
        </Text>
        {outcome !== null && outcome.decision !== 'first' && (
          <Link as={RouterLink} to={paths.model(job.version, job.artifactId)} className={layout.touchAlone}>
            See both
          </Link>
        )}
      </div>
      <div style={{ gridArea: 'rest', minWidth: 0, paddingLeft: 12 }}>
        {details.map((text) => (
          <Note key={text} breaks above={0.25}>
            {text}
          </Note>
        ))}
        {repeat.isError && (
          <Note role="alert" tone="down" breaks above={0.25}>
            {errorInFull(repeat.error, 'It could not be started.')}
          </Note>
        )}
      </div>
      {job.status !== 'completed' && (
        <Button
          variant="text"
          size="small"
          startIcon={<RotateCcw />}
          aria-label={`Train again: ${name}`}
          {...busyButton(repeat.isPending, () => repeat.mutate({ params: { id: job._id } }), css.again)}
        >
          {repeat.isPending ? 'Starting…' : 'Train again'}
        </Button>
      )}
      <Note as="span" className={css.time}>
        <Ago ms={job.createdAt} />
      </Note>
    </li>
  )
}
