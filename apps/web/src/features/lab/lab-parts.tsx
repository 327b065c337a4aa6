import type { batches } from '@shapecast/contracts/batch'
import { originWords } from '@shapecast/contracts/bots'
import type { LabJob } from '@shapecast/contracts/lab-job'
import { models } from '@shapecast/contracts/ml'
import type { walkForwards } from '@shapecast/contracts/walk-forward'
import { type QueryFunction, type QueryKey, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { Link as RouterLink, useSearchParams } from 'react-router'
import { VerdictWords } from '#charts/entries-verdict.tsx'
import { formatTableTimeYear, timeLeft } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton, LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, frameClass, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar, progressPct } from '#kit/ui/progress-bar.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { untilEnded, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useRunObstacle, useUser } from '#wire/session/auth-context.ts'
import { CancelJob, ResumeJob } from '#wire/ui/job-buttons.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { type OfRule, withRule } from './lab-forms.ts'
import css from './lab-parts.module.css'

/** A kind of jobs of the lab: its words, and where its jobs are read. */
interface LabKind<Job> {
  readonly title: string
  readonly past: string
  /** Names one in sentences and in the address. */
  readonly what: string
  /** What one is made of. */
  readonly unit: string
  readonly one: (id: string) => { readonly queryKey: QueryKey; readonly queryFn: QueryFunction<Job> }
  readonly list: typeof walkForwards | typeof batches
  readonly path: (id?: string) => string
}

type WithResult = LabJob & { readonly result: unknown }

interface LabPageProps<Job extends WithResult> {
  kind: LabKind<Job>
  result: (job: Job, result: NonNullable<Job['result']>) => ReactNode
}

/** A page of the lab: what a new job is asked for beside those before, or the job that the address names. */
export function LabPage<Job extends WithResult>({ children, ...page }: LabPageProps<Job> & { children: ReactNode }) {
  const isSignedIn = useUser() !== null
  const { title, what } = page.kind
  const id = useSearchParams()[0].get(what)
  return (
    <div className={layout.pageColumn}>
      <title>{`${title} · Shapecast`}</title>
      {id === null ? (
        <>
          <Text size="h1">{title}</Text>
          <div className={layout.twoCards}>
            {children}
            {isSignedIn && <PastJobs {...page.kind} />}
          </div>
        </>
      ) : (
        <SignedIn to={`see this ${what}`}>
          <OpenedJob key={id} id={id} {...page} />
        </SignedIn>
      )}
    </div>
  )
}

function OpenedJob<Job extends WithResult>({ id, kind, result }: LabPageProps<Job> & { id: string }) {
  const { what, unit, one, path } = kind
  const reply = useQuery<Job>({ ...one(id), refetchInterval: pollWhileOpen })
  const job = reply.data
  if (job?.result != null) return result(job, job.result)
  return (
    <>
      <Row gap={1}>
        <LinkButton size="small" to={path()}>
          New {what}
        </LinkButton>
      </Row>
      <QueryBoundary reply={reply} title={`This ${what} could not be loaded`}>
        <SkeletonGroup label={`Loading the ${what}`} height={240} />
      </QueryBoundary>
      {job !== undefined && <JobCard job={job} what={what} unit={unit} />}
    </>
  )
}

/** Starts what a form asks for; says above why it could not, and in its place why nobody may. */
export function StartJob({
  what,
  words,
  wrong,
  create,
  onStart,
}: {
  what: string
  words: string
  /** What must be changed first. */
  wrong: object
  create: { readonly isPending: boolean; readonly error: Error | null }
  onStart: () => void
}) {
  const obstacle = useRunObstacle()
  return (
    <>
      {create.error !== null && (
        <Banner kind="error" title={`The ${what} could not be started`}>
          {errorInFull(create.error, 'Try again.')}
        </Banner>
      )}
      <div>
        <Button
          variant="contained"
          disabled={obstacle !== null || Object.keys(wrong).length > 0}
          {...busyButton(create.isPending, onStart)}
        >
          {obstacle ?? words}
        </Button>
      </div>
    </>
  )
}

/** Which model is asked; '' is the one in use. */
export function ModelField({
  version,
  onChange,
  help,
}: {
  version: string
  onChange: (version: string) => void
  help?: string
}) {
  const known = useEndpointQuery(models, {})
  return (
    <SelectField
      label="Model"
      value={version === '' ? 'current' : version}
      onChange={(chosen) => onChange(chosen === 'current' ? '' : chosen)}
      options={[
        { value: 'current', label: 'The model in use' },
        ...(known.data?.models ?? []).map((model) => ({ value: model.version, label: model.version })),
      ]}
      help={help}
    />
  )
}

/** The text of a rule; its numbers may be what is searched or walked. */
export const RuleField = ({
  form,
  onChange,
  ...texts
}: {
  form: OfRule
  onChange: (change: OfRule) => void
  help?: string
  error?: string | undefined
}) => (
  <TextField
    label="Rule"
    rows={3}
    value={form.rule}
    labelNote={form.ruleOrigin && originWords(form.ruleOrigin)}
    onChange={({ target }) => onChange(withRule(form, target.value))}
    {...texts}
  />
)

function JobCard({ job, what, unit }: { job: LabJob; what: string; unit: string }) {
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
  return (
    <Card title={title} actions={<CancelJob id={id} job={what} />}>
      <ProgressBar
        words={
          status === 'queued'
            ? 'Queued…'
            : `Running, ${unit} ${Math.min(current + 1, Math.max(total, 1))} of ${total || '…'}${timeLeft(leftS)}`
        }
        pct={progressPct(current, total)}
      />
      {beganAgain === true && <Note>Candles or the model have changed since it was begun, so it started again.</Note>}
    </Card>
  )
}

function PastJobs({ past, list, path }: Pick<LabKind<never>, 'past' | 'list' | 'path'>) {
  const jobs: readonly LabJob[] | undefined = useEndpointQuery(list, { query: { limit: 20 } }).data
  return (
    <Card title={past} flush>
      {jobs === undefined || jobs.length === 0 ? (
        <EmptyLine>{jobs === undefined ? 'Loading…' : 'None yet.'}</EmptyLine>
      ) : (
        <ul className={layout.list}>
          {jobs.map(({ id, title, status, createdAt }) => (
            <Row as="li" key={id} gap={1} between wrap className={layout.listRow}>
              <Link as={RouterLink} to={path(id)} className={layout.touchAlone ?? ''}>
                {title}
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

/** Asked for again while it waits or runs. */
export const pollWhileOpen = untilEnded(1000)

/** What a walk or a batch says, in sentences, then figures, then one next step. */
export function Verdict({
  next,
  children,
  ...verdict
}: ComponentProps<typeof VerdictWords> & { next?: string; children?: ReactNode }) {
  return (
    <section aria-label="Verdict" className={frameClass(verdict.isLuck)}>
      <div className={css.part}>
        <VerdictWords {...verdict} />
      </div>
      {children !== undefined && <div className={`${css.part} ${css.figures}`}>{children}</div>}
      {next !== undefined && (
        <Text size="small" tone="text2" className={css.part}>
          {next}
        </Text>
      )}
    </section>
  )
}
