import { batch as batchEndpoint, batches } from '@shapecast/contracts/batch'
import { useLocation, useSearchParams } from 'react-router'
import { LinkButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { JobCard, PastJobs, pollWhileOpen } from '../lab-parts.tsx'
import { BatchResult } from './batch-result.tsx'
import { BatchSetup, startIn } from './batch-setup.tsx'

/** Batch: a new one and those before, or the one that the address names. */
export function BatchPage() {
  const [search, setSearch] = useSearchParams()
  const id = search.get('batch')
  const { state } = useLocation()
  const isSignedIn = useUser() !== null
  const past = useEndpointQuery(batches, { query: { limit: 20 } }, { enabled: isSignedIn && id === null })
  return (
    <div className={layout.pageColumn}>
      <title>Batch · Shapecast</title>
      {id === null ? (
        <>
          <Text size="h1">Batch</Text>
          <div className={layout.twoCards}>
            <BatchSetup start={startIn(state)} onStarted={(batch) => setSearch({ batch })} />
            {isSignedIn && <PastJobs title="Batches" jobs={past.data} pathOf={paths.batch} />}
          </div>
        </>
      ) : (
        <SignedIn to="see this batch">
          <OpenedBatch key={id} id={id} />
        </SignedIn>
      )}
    </div>
  )
}

function OpenedBatch({ id }: { id: string }) {
  const reply = useEndpointQuery(batchEndpoint, { params: { id } }, { refetchInterval: pollWhileOpen })
  const batch = reply.data
  return (
    <>
      {batch?.result == null && (
        <Row gap={1}>
          <LinkButton size="small" to={paths.batch()}>
            New batch
          </LinkButton>
        </Row>
      )}
      <QueryBoundary reply={reply} title="This batch could not be loaded">
        <SkeletonGroup label="Loading the batch" height={240} />
      </QueryBoundary>
      {batch !== undefined &&
        (batch.result === null ? (
          <JobCard job={batch} what="batch" unit="run" />
        ) : (
          <BatchResult batch={batch} result={batch.result} />
        ))}
    </>
  )
}
