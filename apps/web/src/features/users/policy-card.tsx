import { changePolicy, policy } from '@shapecast/contracts/users'
import { busyButton } from '#kit/ui/button.tsx'
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

/** How people register, and what an installation asks of them. */
export function PolicyCard() {
  const reply = useEndpointQuery(policy, {})
  const save = useEndpointMutation(changePolicy)
  const current = reply.data?.policy
  const change = (body: Partial<NonNullable<typeof current>>) => save.mutate({ body })
  const toggle = (
    name: 'secondFactorForManagers' | 'confirmRealBots' | 'tasksRestricted' | 'privateWebhooks',
    label: string,
  ) => (
    <Switch
      checked={current?.[name] ?? false}
      aria-label={label}
      {...busyButton(current === undefined)}
      onChange={(isOn) => change({ [name]: isOn })}
    />
  )
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
                onChange={(registration) => change({ registration })}
                choices={[
                  { value: 'open', label: 'Open' },
                  { value: 'invitation', label: 'Invitation' },
                  { value: 'closed', label: 'Closed' },
                ]}
              />
            }
          >
            {REGISTRATION_WORDS[current.registration]}
          </SettingRow>
          <SettingRow
            title="Two-factor for Admin and Manager"
            action={toggle('secondFactorForManagers', 'Two-factor for Admin and Manager')}
          >
            Who has none yet is asked at the next sign-in.
          </SettingRow>
          <SettingRow
            title="Ask again before a real bot starts"
            action={toggle('confirmRealBots', 'Ask again before a real bot starts')}
          >
            Password or code, and the words ‘real money’.
          </SettingRow>
          <SettingRow
            title="Tasks are moved and deleted by their authors"
            action={toggle('tasksRestricted', 'Tasks are moved and deleted by their authors')}
          >
            And by Admin and Manager. Otherwise by anybody who is signed in.
          </SettingRow>
          <SettingRow
            title="Webhooks may reach this machine and private networks"
            action={toggle('privateWebhooks', 'Webhooks may reach this machine and private networks')}
          >
            Every user can then reach what this machine reaches.
          </SettingRow>
        </>
      )}
    </Card>
  )
}
