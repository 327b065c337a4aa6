import {
  CHANNEL_NAMES,
  CHANNELS,
  type ConnectedChannel,
  changeNotificationSettings,
  isAlwaysSent,
  NOTIFICATION_KINDS,
  type NotificationChoices,
  type NotificationKind,
  notificationSettings,
  switchChannel,
} from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import table from '#kit/ui/data-table.module.css'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { SettingRow, Switch } from '#kit/ui/setting-row.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { KINDS } from './notification-kinds.ts'
import css from './notifications-page.module.css'
import { QuietCard } from './quiet-card.tsx'

/** What a person is told of, by which ways, and what was sent. */
export function NotificationsPage() {
  const reply = useEndpointQuery(notificationSettings, {})
  return (
    <div className={layout.formColumn}>
      {reply.data === undefined ? (
        <Card title="What to tell you" flush>
          <QueryBoundary reply={reply} of="your choices" px={36} rows={7} inset />
        </Card>
      ) : (
        <>
          <ChannelsCard settings={reply.data} />
          <ChoicesCard choices={reply.data.choices} />
          {CHANNEL_NAMES.some((channel) => reply.data[channel] !== null) && <QuietCard quiet={reply.data.quiet} />}
          {reply.data.telegram !== null && <CommandsCard telegram={reply.data.telegram} />}
          {CHANNEL_NAMES.some((channel) => reply.data[channel] !== null) && <DeliveriesCard />}
        </>
      )}
    </div>
  )
}

interface Command {
  readonly words: string
  readonly does: string
  readonly before: string
}

const COMMANDS: readonly Command[] = [
  { words: '/status', does: 'your bots with state and equity', before: 'answers' },
  { words: '/positions', does: 'what your bots hold', before: 'answers' },
  { words: '/pause NAME', does: 'pauses a bot; its position and stops stay', before: 'asks yes or no' },
  { words: '/stop NAME', does: 'stops a bot and sells what it holds', before: 'asks the name once more' },
  { words: '/kill', does: 'stops all bots with real money (admins)', before: 'asks yes or no' },
  { words: '/kill sell', does: 'and sells what they hold (admins)', before: 'asks for a code' },
]
const COLUMNS: readonly Column<Command>[] = [
  { head: 'Command', keep: true, cell: ({ words }) => <code>{words}</code> },
  { head: 'What it does', keep: true, cell: ({ does }) => does },
  { head: 'Before', quiet: true, cell: ({ before }) => before },
]

/** What may be done from the Telegram chat that is connected. */
function CommandsCard({ telegram }: { telegram: ConnectedChannel }) {
  const change = useEndpointMutation(switchChannel)
  const label = `Take commands from ${telegram.name}`
  const choose = (takesCommands: boolean) => change.mutate({ params: { channel: 'telegram' }, body: { takesCommands } })
  return (
    <Card title="Commands by Telegram" flush>
      <FailedChange change={change} text="The setting could not be changed" />
      <SettingRow
        title={label}
        action={
          <Switch
            checked={telegram.takesCommands}
            aria-label={label}
            {...busyButton(change.isPending)}
            onChange={choose}
          />
        }
      >
        It can look, pause and stop. It can never start a bot, buy, or raise a limit. What sells for real money asks for
        a code of your authenticator app. Each command stands in the audit.
      </SettingRow>
      <DataTable label="Commands" columns={COLUMNS} rows={COMMANDS} rowKey={({ words }) => words} />
    </Card>
  )
}

type Way = keyof NotificationChoices[NotificationKind]
const WAYS = [
  { way: 'app', label: 'In app' },
  ...CHANNEL_NAMES.map((channel) => ({ way: channel, label: CHANNELS[channel].head })),
] as const

/** A table of kinds and ways; what was ticked counts once it is saved. */
function ChoicesCard({ choices }: { choices: NotificationChoices }) {
  const [changes, setChanges] = useState<Partial<NotificationChoices>>({})
  const save = useEndpointMutation(changeNotificationSettings)
  const shown = { ...choices, ...changes }
  const changed = NOTIFICATION_KINDS.flatMap((kind) =>
    WAYS.filter(({ way }) => shown[kind][way] !== choices[kind][way]).map(({ way }) => `${kind} ${way}`),
  ).length
  const choose = (kind: NotificationKind, way: Way, isOn: boolean) =>
    setChanges((before) => ({ ...before, [kind]: { ...choices[kind], ...before[kind], [way]: isOn } }))
  return (
    <Card title="What to tell you, and where" facts="errors and sign-ins always reach you" flush>
      <FailedChange change={save} text="Your choices were not saved." inset />
      <table aria-label="What to tell you" className={`${table.table} ${css.choices}`}>
        <thead>
          <tr>
            <th scope="col">Tell me about</th>
            {WAYS.map(({ way, label }) => (
              <th key={way} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {NOTIFICATION_KINDS.map((kind) => (
            <tr key={kind}>
              <td>
                <Text as="div" weight={500}>
                  {KINDS[kind].label}
                </Text>
                <Text as="div" size="small" tone="text2" className={css.about}>
                  {KINDS[kind].about}
                </Text>
              </td>
              {WAYS.map(({ way, label }) => {
                const isFixed = isAlwaysSent(kind, way)
                return (
                  <td key={way} title={isFixed ? 'Always reaches you this way' : undefined}>
                    <Checkbox
                      isLocked={isFixed}
                      checked={isFixed || shown[kind][way]}
                      disabled={isFixed}
                      onChange={(isOn) => choose(kind, way, isOn)}
                      aria-label={`${KINDS[kind].label}: ${label}`}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {changed > 0 && (
        <Row gap={1} className={css.foot}>
          <Text size="small" tone="text2" className={layout.grow}>
            {formatCounted(changed, 'change')} not saved yet
          </Text>
          <Button variant="text" onClick={() => setChanges({})}>
            Discard
          </Button>
          <Button
            variant="contained"
            {...busyButton(save.isPending, () =>
              save.mutate({ body: { choices: changes } }, { onSuccess: () => setChanges({}) }),
            )}
          >
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </Row>
      )}
    </Card>
  )
}
