import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { endOtherSessions, endSession, ownSessions, security } from '@shapecast/contracts/own-account'
import { Monitor, ShieldCheck, ShieldOff, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { browserName, isPhone } from '#entities/users/browser-name.ts'
import { formatDate } from '#kit/format/time.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton, LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { NewCodesDialog, SetUpDialog, SwitchOffDialog } from './second-factor-dialogs.tsx'

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
          <QueryBoundary reply={state} of="the second factor" px={28} rows={2} inset />
        </Card>
      ) : (
        <SecondFactorCard state={state.data.secondFactor} />
      )}
      <SessionsCard />
    </div>
  )
}

/** Where the account is signed in, and the way to end that. */
function SessionsCard() {
  const reply = useEndpointQuery(ownSessions, {})
  const end = useEndpointMutation(endSession)
  const endOthers = useEndpointMutation(endOtherSessions)
  const sessions = reply.data?.sessions
  const error = end.error ?? endOthers.error
  return (
    <Card
      title="Sessions"
      facts={sessions?.length}
      flush
      actions={
        sessions !== undefined &&
        sessions.length > 1 && (
          <Button size="small" {...busyButton(endOthers.isPending, () => endOthers.mutate({}))}>
            {endOthers.isPending ? 'Ending…' : 'End all others'}
          </Button>
        )
      }
    >
      <QueryBoundary reply={reply} of="the sessions" px={36} rows={2} inset />
      <FailureBanner error={error} text="The session could not be ended." inset />
      {sessions?.map((session) => {
        const name = browserName(session.userAgent)
        const isEnding = end.isPending && end.variables.params.id === session.id
        return (
          <SettingRow
            key={session.id}
            icon={isPhone(session.userAgent) ? <Smartphone size={18} /> : <Monitor size={18} />}
            title={
              session.isCurrent ? (
                <>
                  This browser <Chip label="current" tone="accent" />
                </>
              ) : (
                name
              )
            }
            action={
              session.isCurrent ? (
                'now'
              ) : (
                <>
                  <Ago ms={session.lastSeenAt} />
                  <Button
                    size="small"
                    aria-label={`End the session of ${name}`}
                    {...busyButton(isEnding, () => end.mutate({ params: { id: session.id } }))}
                  >
                    {isEnding ? 'Ending…' : 'End'}
                  </Button>
                </>
              )
            }
          >
            {[session.isCurrent && name, session.address ?? 'address not known'].filter(Boolean).join(' · ')}
          </SettingRow>
        )
      })}
    </Card>
  )
}
