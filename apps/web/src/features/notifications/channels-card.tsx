import {
  CHANNEL_NAMES,
  CHANNELS,
  type Channel,
  type ConnectedChannel,
  type Delivery,
  deleteChannel,
  type NotificationSettings,
  notificationSettings,
  retryDelivery,
  switchChannel,
  testChannel,
} from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { BellRing, type LucideIcon, Mail, Send, Webhook } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link as RouterLink } from 'react-router'
import { formatDuration, formatTableTime, zoneWords } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { HealthDot } from '#kit/ui/chip.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Link, Row, Text } from '#kit/ui/primitives.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { paths } from '#routes/paths.ts'
import { endpointKey, useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { hasRole, useUser } from '#wire/session/auth-context.ts'
import { confirming, FailureBanner } from '#wire/ui/failed-change.tsx'
import { useBrowserPush } from './browser-push.ts'
import { EmailDialog } from './email-dialog.tsx'
import { answerWords } from './notification-kinds.ts'
import { TelegramDialog } from './telegram-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

const ICONS: Readonly<Record<Channel, LucideIcon>> = { telegram: Send, email: Mail, push: BellRing, webhook: Webhook }

/** What is on is blue, what waits amber, what was given up red. */
function ChannelState({ connected }: { connected: ConnectedChannel | null }) {
  const words = (
    <Text as="span" size="small" tone="text3">
      {stateOf(connected)}
    </Text>
  )
  const state = DOTS[stateOf(connected)]
  return state === undefined ? words : <HealthDot state={state}>{words}</HealthDot>
}
const DOTS: Readonly<Record<string, 'busy' | 'unknown' | 'bad'>> = { on: 'busy', waiting: 'unknown', failed: 'bad' }
const stateOf = (connected: ConnectedChannel | null): string => {
  if (connected === null) return 'not connected'
  if (!connected.isOn) return 'off'
  const { last } = connected
  if (last === null || last.state === 'delivered' || isHeld(last)) return 'on'
  return last.state
}
const isHeld = ({ kind, tries }: Delivery): boolean => kind === 'quiet' && tries === 0

/** What came of the newest message: when it was delivered, or why not and when it is tried again. */
function LastWords({ last }: { last: Delivery }) {
  if (last.state !== 'delivered')
    return <Text tone={isHeld(last) ? 'inherit' : last.state === 'failed' ? 'down' : 'warn'}>{answerWords(last)}</Text>
  const took = last.tookMs === null ? '' : `, ${formatDuration(last.tookMs)}`
  return <>{`last delivered ${formatTableTime(last.createdAt)} ${zoneWords()}${took}`}</>
}

interface ChannelRowProps {
  channel: Channel
  connected: ConnectedChannel | null
  /** What connects it, or changes where it leads. */
  action: ReactNode
  /** Why it cannot be connected. */
  obstacle?: ReactNode
}

function ChannelRow({ channel, connected, action, obstacle = null }: ChannelRowProps) {
  const { label } = CHANNELS[channel]
  const params = { channel }
  const [asks, setAsks] = useState(false)
  const test = useEndpointMutation(testChannel)
  const change = useEndpointMutation(switchChannel)
  const again = useEndpointMutation(retryDelivery)
  const forget = useEndpointMutation(deleteChannel, { onSuccess: () => setAsks(false) })
  const Icon = ICONS[channel]
  const error = test.error ?? change.error ?? again.error
  const { last } = connected ?? { last: null }
  return (
    <>
      <SettingRow
        icon={<Icon size={16} aria-hidden />}
        title={
          <>
            {label} <ChannelState connected={connected} />
          </>
        }
        action={
          <Row gap={1} wrap>
            {connected !== null && (
              <>
                {last !== null && last.state !== 'delivered' && !isHeld(last) ? (
                  <Button
                    size="small"
                    aria-label={`Try ${label} now`}
                    {...busyButton(again.isPending, () => again.mutate({ params: { id: last.id } }))}
                  >
                    Try now
                  </Button>
                ) : (
                  <Button
                    size="small"
                    aria-label={`Test ${label}`}
                    {...busyButton(test.isPending, () => test.mutate({ params }))}
                  >
                    {test.isPending ? 'Sending…' : 'Test'}
                  </Button>
                )}
                <Button
                  size="small"
                  variant="text"
                  aria-label={`Switch ${label} ${connected.isOn ? 'off' : 'on'}`}
                  {...busyButton(change.isPending, () => change.mutate({ params, body: { isOn: !connected.isOn } }))}
                >
                  {connected.isOn ? 'Switch off' : 'Switch on'}
                </Button>
                <Button size="small" variant="text" aria-label={`Disconnect ${label}`} onClick={() => setAsks(true)}>
                  Disconnect
                </Button>
              </>
            )}
            {action}
          </Row>
        }
      >
        {connected === null ? (
          (obstacle ?? 'Nothing is sent there.')
        ) : (
          <>
            <div>{connected.name}</div>
            {obstacle !== null && <div>{obstacle}</div>}
            <div role="status">{connected.last !== null && <LastWords last={connected.last} />}</div>
          </>
        )}
      </SettingRow>
      <FailureBanner error={error} text={`${label} was not reached.`} inset />
      {asks && (
        <ConfirmDialog
          title={`Disconnect ${label}?`}
          text="Its address and secrets are deleted, and what still waits is not sent."
          {...confirming(forget, 'Disconnect', 'Disconnecting…', `${label} is still connected.`)}
          onConfirm={() => forget.mutate({ params })}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

/** Why there is no mail and no Telegram here, and to an admin the way to set them up. */
function NoOutlet() {
  return hasRole(useUser(), ['admin']) ? (
    <>
      This installation has none yet.{' '}
      <Link as={RouterLink} to={paths.settingsPage('outlets')}>
        Set it up
      </Link>
    </>
  ) : (
    'This installation has none. An admin sets it up in Settings, Mail and Telegram.'
  )
}

/** Where a person is told things beside the app: each is connected, tested, switched and taken off here. */
export function ChannelsCard({ settings }: { settings: NotificationSettings }) {
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'telegram' | 'email' | 'webhook' | null>(null)
  const { outlets, telegram, email, push, webhook } = settings
  const browser = useBrowserPush(outlets.push, () => {
    void queryClient.invalidateQueries({ queryKey: endpointKey(notificationSettings) })
  })
  const states = CHANNEL_NAMES.map((channel) => stateOf(settings[channel]))
  const facts = (['on', 'waiting', 'failed'] as const)
    .map((state) => ({ state, n: states.filter((one) => one === state).length }))
    .filter(({ state, n }) => n > 0 || state === 'on')
    .map(({ state, n }) => `${n} ${state}`)
  const connect = (channel: 'telegram' | 'email' | 'webhook', label: string) => (
    <Button
      size="small"
      variant="text"
      aria-label={`${label} ${CHANNELS[channel].label}`}
      onClick={() => setDialog(channel)}
    >
      {label}
    </Button>
  )
  const close = () => setDialog(null)
  return (
    <Card title="Channels" facts={facts.join(', ')} flush>
      <FailureBanner error={browser.error} text="This browser was not changed." inset />
      <ChannelRow
        channel="telegram"
        connected={telegram}
        obstacle={outlets.telegram === null ? <NoOutlet /> : null}
        action={outlets.telegram !== null && telegram === null && connect('telegram', 'Connect')}
      />
      <ChannelRow
        channel="email"
        connected={email}
        obstacle={outlets.email ? null : <NoOutlet />}
        action={outlets.email && connect('email', email === null ? 'Connect' : 'Change')}
      />
      <ChannelRow
        channel="push"
        connected={push}
        obstacle={browser.obstacle}
        action={
          browser.obstacle === null && (
            <Button
              size="small"
              variant="text"
              {...busyButton(browser.isBusy, browser.isHere && push !== null ? browser.switchOff : browser.switchOn)}
            >
              {browser.isHere && push !== null ? 'Off in this browser' : 'Use this browser'}
            </Button>
          )
        }
      />
      <ChannelRow
        channel="webhook"
        connected={webhook}
        action={connect('webhook', webhook === null ? 'Connect' : 'Change')}
      />
      {dialog === 'telegram' && <TelegramDialog onClose={close} />}
      {dialog === 'email' && <EmailDialog current={email?.name ?? null} onClose={close} />}
      {dialog === 'webhook' && <WebhookDialog current={webhook} onClose={close} />}
    </Card>
  )
}
