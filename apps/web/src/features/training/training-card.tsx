import { models } from '@shapecast/contracts/ml'
import { repeatTraining, type TrainingJob, trainingJobs } from '@shapecast/contracts/trainings'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleSlash, RotateCcw } from 'lucide-react'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link as RouterLink } from 'react-router'
import { elsewhere } from '#entities/markets/market-label.ts'
import { formatCount } from '#kit/format/number.ts'
import { sentence } from '#kit/format/sentence.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { endpointKey, isUnderWay, REFRESH_MS, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { CancelJob } from '#wire/ui/job-buttons.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import css from './training-card.module.css'
import { lossWords, outcomeWords, shownJobs, trainingName, trainingPct, trainingWords } from './training-words.ts'

const POLL_MS = 1500
/** Epochs of small models come faster than a page needs to hear of them. */
const LEAST_BETWEEN_MS = 500

/** The caller's trainings: followed live while one is under way; an ended one brings the model list up to date. */
function useTrainingJobs() {
  const queryClient = useQueryClient()
  const isSignedIn = useUser() !== null
  const jobs = useEndpointQuery(
    trainingJobs,
    {},
    {
      enabled: isSignedIn,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : REFRESH_MS),
    },
  )

  useEffect(() => {
    if (!isSignedIn) return
    let due: ReturnType<typeof setTimeout> | undefined
    const stop = liveEvents.listen({ kind: 'jobs' }, (message) => {
      const isOurs = message.event === 'reset' || (message.event === 'job' && message.data.kind === 'training')
      if (!isOurs || due !== undefined) return
      due = setTimeout(() => {
        due = undefined
        void queryClient.invalidateQueries({ queryKey: endpointKey(trainingJobs) })
      }, LEAST_BETWEEN_MS)
    })
    return () => {
      clearTimeout(due)
      stop()
    }
  }, [queryClient, isSignedIn])

  const ended = jobs.data?.filter((job: TrainingJob) => job.status === 'completed').length
  const lastEnded = useRef(ended)
  useEffect(() => {
    if (lastEnded.current !== undefined && lastEnded.current !== ended)
      void queryClient.invalidateQueries({ queryKey: endpointKey(models) })
    lastEnded.current = ended
  }, [queryClient, ended])
  return jobs
}

const FIRST_SHOWN = 3

/** The caller's trainings, those under way first; not for visitors, who have none. */
export const TrainingCard = memo(function TrainingCard() {
  const isSignedIn = useUser() !== null
  const reply = useTrainingJobs()
  const [areAllShown, setAreAllShown] = useState(false)
  if (!isSignedIn) return null
  const all = reply.data ?? []
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
          {jobs.map((job) =>
            isUnderWay(job) ? <TrainingUnderWay key={job._id} job={job} /> : <EndedTraining key={job._id} job={job} />,
          )}
        </ul>
      )}
      {reply.data?.length === 0 && <EmptyLine>No training of yours yet. 'Train latest' starts one.</EmptyLine>}
      <QueryBoundary reply={reply} of="the trainings" rows={FIRST_SHOWN} px={40} inset />
    </Card>
  )
})

function TrainingUnderWay({ job }: { job: TrainingJob }) {
  const name = trainingName(job)
  return (
    <Row as="li" aria-label={`Training ${name}`} gap={1.5} className={layout.listRow} style={{ paddingBlock: 12 }}>
      <div className={layout.grow}>
        <Text as="div" weight={500} style={{ marginBottom: 4 }}>
          {name}
        </Text>
        <ProgressBar words={trainingWords(job)} pct={trainingPct(job)} />
        <Note above={0.75}>{lossWords(job.progress) ?? ' '}</Note>
      </div>
      <CancelJob id={job._id} job={`training of ${name}`} />
    </Row>
  )
}

const MARKS: Readonly<Partial<Record<TrainingJob['status'], ReactNode>>> = {
  completed: <CircleCheck size={14} color={colors.accentHi} />,
  failed: <CircleAlert size={14} color={colors.down} />,
  cancelled: <CircleSlash size={14} color={colors.text3} />,
}

/** How a training ended: whether its artifact was kept and why, or its failure and a way to try again. */
function EndedTraining({ job }: { job: TrainingJob }) {
  const repeat = useEndpointMutation(repeatTraining)
  const { outcome } = job
  const where = elsewhere(job, useHealth().data?.venue)
  const name = trainingName(job)
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
        {outcome?.verdict != null && (
          <Note breaks above={0.25}>
            {sentence(outcome.verdict)}
          </Note>
        )}
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
