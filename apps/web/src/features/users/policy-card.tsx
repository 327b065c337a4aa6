import { changePolicy, policy } from '@shapecast/contracts/users'
import { Card } from '#kit/ui/card.tsx'
import { SettingRow, Switch } from '#kit/ui/setting-row.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'

const REGISTRATION_WORDS = {
  open: 'Everybody who reaches this address can sign up.',
  invitation: 'Users with an invitation: a link for one email address, good for 7 days.',
  closed: 'Nobody can sign up.',
} as const

/** What is on or off, with what it does. */
const SWITCHES = [
  ['secondFactorForManagers', 'Two-factor for Admin and Manager', 'Who has none yet is asked at the next sign-in.'],
  ['confirmRealBots', 'Ask again before a real bot starts', 'Password or code, and the words ‘real money’.'],
  [
    'tasksRestricted',
    'Tasks are moved and deleted by their authors',
    'And by Admin and Manager. Otherwise by anybody who is signed in.',
  ],
  [
    'privateWebhooks',
    'Webhooks may reach this machine and private networks',
    'Every user can then reach what this machine reaches.',
  ],
] as const

/** How people register, and what an installation asks of them. */
export function PolicyCard() {
  const reply = useEndpointQuery(policy, {})
  const save = useEndpointMutation(changePolicy)
  const current = reply.data?.policy
  return (
    <Card title="Who may come in" flush>
      <QueryBoundary reply={reply} of="the settings" inset />
      <FailedChange change={save} text="The setting could not be changed" />
      {current !== undefined && (
        <>
          <SettingRow
            title="Registration"
            action={
              <ToggleGroup
                label="Registration"
                size="small"
                value={current.registration}
                onChange={(registration) => save.mutate({ body: { registration } })}
                choices={{ open: 'Open', invitation: 'Invitation', closed: 'Closed' }}
              />
            }
          >
            {REGISTRATION_WORDS[current.registration]}
          </SettingRow>
          {SWITCHES.map(([name, title, does]) => {
            const change = (isOn: boolean) => save.mutate({ body: { [name]: isOn } })
            return (
              <SettingRow
                key={name}
                title={title}
                action={<Switch checked={current[name]} aria-label={title} onChange={change} />}
              >
                {does}
              </SettingRow>
            )
          })}
        </>
      )}
    </Card>
  )
}
