import { type FailedJob, failedJobs, resumeJob } from '@shapecast/contracts/jobs'
import { users } from '@shapecast/contracts/users'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'

/** `Training v3 on BTCUSDT 1h`. */
const nameOf = ({ kind, title }: FailedJob): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${title}`

/** Everybody’s jobs that failed within 30 days, each with its reason. */
export function FailedJobsPage() {
  const reply = useEndpointQuery(failedJobs, {})
  const people = useEndpointQuery(users, { query: { limit: 200 } })
  const again = useEndpointMutation(resumeJob)
  const jobs = reply.data
  const askerOf = ({ userId }: FailedJob) =>
    userId === null ? 'the installation' : (people.data?.users.find(({ id }) => id === userId)?.username ?? 'a user')
  return (
    <Card title="Failed jobs" facts={jobs?.length} flush>
      <FailedChange change={again} text="The job was not queued again." />
      <QueryBoundary reply={reply} of="the failed jobs" px={44} rows={3} inset />
      {jobs?.length === 0 && <EmptyLine>No failed jobs</EmptyLine>}
      {jobs?.map((job) => (
        <SettingRow
          key={job.id}
          title={nameOf(job)}
          action={
            <Button
              size="small"
              aria-label={`Run again: ${nameOf(job)}`}
              {...busyButton(again.isPending, () => again.mutate({ params: { id: job.id } }))}
            >
              Run again
            </Button>
          }
        >
          {job.error} By {askerOf(job)}, {formatTableTimeYear(job.failedAt)}
        </SettingRow>
      ))}
    </Card>
  )
}
