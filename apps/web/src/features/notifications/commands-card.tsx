import { type ConnectedChannel, switchChannel } from '@shapecast/contracts/notifications'
import { busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { Switch } from '#kit/ui/switch-row.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

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
  { id: 'command', head: 'Command', keep: true, cell: ({ words }) => <code>{words}</code> },
  { id: 'does', head: 'What it does', keep: true, cell: ({ does }) => does },
  { id: 'before', head: 'Before', quiet: true, cell: ({ before }) => before },
]

/** What may be done from the Telegram chat that is connected. */
export function CommandsCard({ telegram }: { telegram: ConnectedChannel }) {
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
