import { walkForward, walkForwards } from '@shapecast/contracts/walk-forward'
import { useLocation, useSearchParams } from 'react-router'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
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
import { formOf, NEW_WALK, walkOf } from './walk-form.ts'
import { WalkResult } from './walk-result.tsx'
import { WalkSetup } from './walk-setup.tsx'

/** Walk-forward: the plan of one and those before, or the walk that the address names. */
export function WalkPage() {
  const [search, setSearch] = useSearchParams()
  const id = search.get('walk')
  const plan = search.get('plan')
  const draft = ruleDraftIn(useLocation().state)
  const isSignedIn = useUser() !== null
  const past = useEndpointQuery(walkForwards, { query: { limit: 20 } }, { enabled: isSignedIn && id === null })
  return (
    <div className={layout.pageColumn}>
      <title>Walk-forward · Shapecast</title>
      {id === null ? (
        <>
          <Text size="h1">Walk-forward</Text>
          <div className={layout.twoCards}>
            {plan === null ? (
              <WalkSetup
                start={draft === undefined ? NEW_WALK : walkOf(draft)}
                onStarted={(walk) => setSearch({ walk })}
              />
            ) : (
              <SignedIn to="see the plan of this walk">
                <SamePlan key={plan} id={plan} onStarted={(walk) => setSearch({ walk })} />
              </SignedIn>
            )}
            {isSignedIn && <PastJobs title="Walks" jobs={past.data} pathOf={paths.walkForward} />}
          </div>
        </>
      ) : (
        <SignedIn to="see this walk">
          <OpenedWalk key={id} id={id} />
        </SignedIn>
      )}
    </div>
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
  const walk = reply.data
  return (
    <>
      {walk?.result == null && (
        <Row gap={1}>
          <LinkButton size="small" to={paths.walkForward()}>
            New walk
          </LinkButton>
        </Row>
      )}
      <QueryBoundary reply={reply} title="This walk could not be loaded">
        <SkeletonGroup label="Loading the walk" height={240} />
      </QueryBoundary>
      {walk !== undefined &&
        (walk.result === null ? (
          <JobCard job={walk} what="walk" unit="fold" />
        ) : (
          <WalkResult walk={walk} result={walk.result} />
        ))}
    </>
  )
}
