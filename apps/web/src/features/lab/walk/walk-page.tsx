import { walkForward, walkForwards } from '@shapecast/contracts/walk-forward'
import { useLocation, useSearchParams } from 'react-router'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
import { SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { LabPage, OpenedJob, PastJobs, pollWhileOpen } from '../lab-parts.tsx'
import { formOf, NEW_WALK, walkOf } from './walk-form.ts'
import { WalkResult } from './walk-result.tsx'
import { WalkSetup } from './walk-setup.tsx'

/** Walk-forward: the plan of one and those before, or the walk that the address names. */
export function WalkPage() {
  const [search, setSearch] = useSearchParams()
  const id = search.get('walk')
  const plan = search.get('plan')
  const draft = ruleDraftIn(useLocation().state)
  const onStarted = (walk: string) => setSearch({ walk })
  return (
    <LabPage
      title="Walk-forward"
      what="walk"
      opened={id !== null && <OpenedWalk key={id} id={id} />}
      past={<PastJobs title="Walks" list={walkForwards} pathOf={paths.walkForward} />}
    >
      {plan === null ? (
        <WalkSetup start={draft === undefined ? NEW_WALK : walkOf(draft)} onStarted={onStarted} />
      ) : (
        <SignedIn to="see the plan of this walk">
          <SamePlan key={plan} id={plan} onStarted={onStarted} />
        </SignedIn>
      )}
    </LabPage>
  )
}

/** The form as a walk had it. */
function SamePlan({ id, onStarted }: { id: string; onStarted: (walk: string) => void }) {
  const reply = useEndpointQuery(walkForward, { params: { id } })
  return reply.data === undefined ? (
    <QueryBoundary reply={reply} title="The plan of this walk could not be loaded">
      <SkeletonGroup label="Loading the plan" height={240} />
    </QueryBoundary>
  ) : (
    <WalkSetup start={formOf(reply.data.request)} onStarted={onStarted} />
  )
}

function OpenedWalk({ id }: { id: string }) {
  const reply = useEndpointQuery(walkForward, { params: { id } }, { refetchInterval: pollWhileOpen })
  return (
    <OpenedJob reply={reply} what="walk" unit="fold" newPath={paths.walkForward()}>
      {(walk, result) => <WalkResult walk={walk} result={result} />}
    </OpenedJob>
  )
}
