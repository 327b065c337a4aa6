import { Box } from '@mui/material'
import { security } from '@shapecast/contracts/own-account'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { formatDate } from '../../shared/format/time.ts'
import { Awaited } from '../../shared/ui/awaited.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'
import { formColumn } from '../../shared/ui/page-layout.ts'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** How the account is kept safe: password, second factor, and where it is signed in. */
export function SecurityPage() {
  const state = useEndpointQuery(security, {})
  return (
    <Box sx={formColumn}>
      <Card
        title="Password"
        {...(state.data !== undefined && { facts: `changed ${formatDate(state.data.passwordChangedAt)}` })}
        actions={
          <LinkButton size="small" to="/settings/profile">
            Change password
          </LinkButton>
        }
      />
      {state.data === undefined ? (
        <Card title="Two-factor" flush>
          <Awaited reply={state} title="The second factor could not be loaded" inset>
            <ListSkeleton label="Loading the second factor" rowHeightPx={28} rows={2} />
          </Awaited>
        </Card>
      ) : (
        <SecondFactorCard state={state.data.secondFactor} />
      )}
      <SessionsCard />
    </Box>
  )
}
