import { security } from '@shapecast/contracts/own-account'
import { formatDate } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** How the account is kept safe: password, second factor, and where it is signed in. */
export function SecurityPage() {
  const state = useEndpointQuery(security, {})
  return (
    <div className={layout.formColumn}>
      <Card
        title="Password"
        {...(state.data !== undefined && { facts: `changed ${formatDate(state.data.passwordChangedAt)}` })}
        actions={
          <LinkButton size="small" to={paths.profile}>
            Change password
          </LinkButton>
        }
      />
      {state.data === undefined ? (
        <Card title="Two-factor" flush>
          <QueryBoundary reply={state} title="The second factor could not be loaded" inset>
            <ListSkeleton label="Loading the second factor" rowHeightPx={28} rows={2} />
          </QueryBoundary>
        </Card>
      ) : (
        <SecondFactorCard state={state.data.secondFactor} />
      )}
      <SessionsCard />
    </div>
  )
}
