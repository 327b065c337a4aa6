import type { LabJob } from '@shapecast/contracts/lab-job'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'
import { formatDuration, formatTableTimeYear } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Link } from '#kit/ui/link.tsx'
import { ProgressBar, progressPct } from '#kit/ui/progress-bar.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { CancelJob, ResumeJob } from '#wire/ui/job-buttons.tsx'
import css from './lab-parts.module.css'

/** A job of the lab until it is completed: how far it is, or why it came to nothing. */
export function JobCard({ job, what, unit }: { job: LabJob; what: string; unit: string }) {
  const { id, status, progress, error, title } = job
  const { current, total, leftS, beganAgain } = progress
  if (status === 'failed' || status === 'cancelled')
    return (
      <Banner
        kind={status === 'failed' ? 'error' : 'info'}
        title={status === 'failed' ? `The ${what} failed` : `The ${what} was cancelled`}
        action={<ResumeJob id={id} job={what} />}
      >
        {error ?? 'It has no result; what it tried counts, once. Within a week it goes on where it stopped.'}
      </Banner>
    )
  const left = leftS == null ? '' : `, about ${formatDuration(Math.max(10, leftS) * 1000)} left`
  return (
    <Card title={title} actions={<CancelJob id={id} job={what} />}>
      <ProgressBar
        words={
          status === 'queued'
            ? 'Queued…'
            : `Running, ${unit} ${Math.min(current + 1, Math.max(total, 1))} of ${total || '…'}${left}`
        }
        pct={progressPct(current, total)}
      />
      {beganAgain === true && <Note>Candles or the model have changed since it was begun, so it started again.</Note>}
    </Card>
  )
}

/** What was asked for before, the newest first. */
export function PastJobs({
  title,
  jobs,
  pathOf,
}: {
  title: string
  jobs: readonly LabJob[] | undefined
  pathOf: (id: string) => string
}) {
  return (
    <Card title={title} flush>
      {jobs === undefined || jobs.length === 0 ? (
        <EmptyLine>{jobs === undefined ? 'Loading…' : 'None yet.'}</EmptyLine>
      ) : (
        <ul className={layout.list}>
          {jobs.map(({ id, title: name, status, createdAt }) => (
            <Row as="li" key={id} gap={1} between wrap className={layout.listRow}>
              <Link as={RouterLink} to={pathOf(id)} className={layout.touchAlone ?? ''}>
                {name}
              </Link>
              <Note>
                {status === 'completed' ? '' : `${status} · `}
                {formatTableTimeYear(createdAt)}
              </Note>
            </Row>
          ))}
        </ul>
      )}
    </Card>
  )
}

const POLL_MS = 1000

/** Asked again while it waits or runs. */
export const pollWhileOpen = ({ state }: { state: { data?: Pick<LabJob, 'status'> | undefined } }): number | false =>
  state.data === undefined || state.data.status === 'queued' || state.data.status === 'running' ? POLL_MS : false

/** What a walk or a batch says, in sentences, then figures, then one next step. Never green; amber where luck explains it. */
export function Verdict({
  title,
  sentences,
  isLuck,
  next,
  children,
}: {
  title: string
  sentences: readonly string[]
  isLuck: boolean
  next?: string
  children?: ReactNode
}) {
  return (
    <section aria-label="Verdict" className={isLuck ? `${css.card} ${css.luck}` : css.card}>
      <Row gap={1.25} align="start" className={css.part}>
        {isLuck && <TriangleAlert size={18} className={css.icon} aria-hidden />}
        <div>
          <Text size="h2" as="h2">
            {title}
          </Text>
          {sentences.map((sentence) => (
            <Text key={sentence} tone="text2" above={0.5}>
              {sentence}
            </Text>
          ))}
        </div>
      </Row>
      {children !== undefined && <div className={`${css.part} ${css.figures}`}>{children}</div>}
      {next !== undefined && (
        <Text size="small" tone="text2" className={css.part}>
          {next}
        </Text>
      )}
    </section>
  )
}
