import {
  CHANNEL_NAMES,
  CHANNELS,
  changeNotificationSettings,
  isAlwaysSent,
  NOTIFICATION_KINDS,
  type NotificationChoices,
  type NotificationKind,
} from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import table from '#kit/ui/data-table.module.css'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import css from './choices-card.module.css'
import { KINDS } from './notification-kinds.ts'

type Way = keyof NotificationChoices[NotificationKind]
const WAYS = [
  { way: 'app', label: 'In app' },
  ...CHANNEL_NAMES.map((channel) => ({ way: channel, label: CHANNELS[channel].head })),
] as const

/** A table of kinds and ways; what was ticked counts once it is saved. */
export function ChoicesCard({ choices }: { choices: NotificationChoices }) {
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
      {save.isError && (
        <div className={layout.inset}>
          <FailedChange change={save} text="Your choices were not saved." />
        </div>
      )}
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
