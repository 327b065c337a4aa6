import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { security } from '@shapecast/contracts/own-account'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { NewCodesDialog, SetUpDialog, SwitchOffDialog } from './second-factor-dialogs.tsx'
import { SessionsCard } from './sessions-card.tsx'

type SecondFactor = ReplyOf<typeof security>['secondFactor']

/** How the second factor stands, and what can be done with it. */
function SecondFactorCard({ state }: { state: SecondFactor }) {
  const [dialog, setDialog] = useState<'set-up' | 'codes' | 'off' | null>(null)
  const close = () => setDialog(null)
  const isOn = state.onSince !== null
  return (
    <Card
      title="Two-factor"
      flush
      actions={
        <Button size="small" {...(!isOn && { variant: 'contained' })} onClick={() => setDialog('set-up')}>
          {isOn ? 'Change device' : 'Set up'}
        </Button>
      }
    >
      {!isOn && state.isRequired && (
        <div className={layout.inset}>
          <Banner kind="warning" title="Your role requires two-factor">
            Until it is on, nothing else works for you.
          </Banner>
        </div>
      )}
      {state.onSince === null ? (
        <SettingRow icon={<ShieldOff size={18} />} title="Off">
          With an authenticator app on your phone, a stolen password is not enough to sign in.
        </SettingRow>
      ) : (
        <>
          <SettingRow
            icon={<ShieldCheck size={18} />}
            title={`On since ${formatDate(state.onSince)}, by an authenticator app`}
            action={
              !state.isRequired && (
                <Button variant="text" size="small" onClick={() => setDialog('off')}>
                  Switch off
                </Button>
              )
            }
          >
            Asked at each sign-in, and before what weakens a limit or moves real money.
            {state.isRequired && ' Your role requires it.'}
          </SettingRow>
          <SettingRow
            title="Recovery codes"
            action={
              <Button size="small" onClick={() => setDialog('codes')}>
                New codes
              </Button>
            }
          >
            {state.recoveryCodesLeft} of 10 left. Each opens the account once if the phone is lost.
          </SettingRow>
        </>
      )}
      {dialog === 'set-up' && <SetUpDialog isOn={isOn} onClose={close} />}
      {dialog === 'codes' && <NewCodesDialog onClose={close} />}
      {dialog === 'off' && <SwitchOffDialog onClose={close} />}
    </Card>
  )
}

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
