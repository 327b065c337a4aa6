import {
  CHANNEL_NAMES,
  CHANNELS,
  type Channel,
  type ConnectedChannel,
  type Delivery,
  deleteChannel,
  type NotificationSettings,
  notificationSettings,
  switchChannel,
  testChannel,
} from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { BellRing, type LucideIcon, Mail, Send, Webhook } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatDuration, formatTableTime } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { Text } from '#kit/ui/text.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { endpointKey, useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { useBrowserPush } from './browser-push.ts'
import { answerWords } from './delivery-words.ts'
import { EmailDialog } from './email-dialog.tsx'
import { TelegramDialog } from './telegram-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

const ICONS: Readonly<Record<Channel, LucideIcon>> = { telegram: Send, email: Mail, push: BellRing, webhook: Webhook }

const stateOf = (connected: ConnectedChannel | null): string =>
  connected === null
    ? 'not connected'
    : !connected.isOn
      ? 'off'
      : connected.last?.state === 'waiting'
        ? 'waiting'
        : 'on'

/** What came of the newest message: when it was delivered, or why not and when it is tried again. */
function LastWords({ last }: { last: Delivery }) {
  if (last.state !== 'delivered')
    return <Text tone={last.state === 'failed' ? 'down' : 'warn'}>{answerWords(last)}</Text>
  const took = last.tookMs === null ? '' : `, ${formatDuration(last.tookMs)}`
  return <>{`last delivered ${formatTableTime(last.createdAt)} ${zoneWords()}${took}`}</>
}

interface ChannelRowProps {
  channel: Channel
  connected: ConnectedChannel | null
  /** What connects it, or changes where it leads. */
  action: ReactNode
  /** Why it cannot be connected. */
  obstacle?: string | null
}

function ChannelRow({ channel, connected, action, obstacle = null }: ChannelRowProps) {
  const { label } = CHANNELS[channel]
  const params = { channel }
  const [asks, setAsks] = useState(false)
  const test = useEndpointMutation(testChannel)
  const change = useEndpointMutation(switchChannel)
  const forget = useEndpointMutation(deleteChannel, { onSuccess: () => setAsks(false) })
  const Icon = ICONS[channel]
  const error = test.error ?? change.error
  return (
    <>
      <SettingRow
        icon={<Icon size={16} aria-hidden />}
        title={
          <>
            {label}{' '}
            <Text as="span" size="small" tone={stateOf(connected) === 'waiting' ? 'warn' : 'text3'}>
              {stateOf(connected)}
            </Text>
          </>
        }
        action={
          <Row gap={1} wrap>
            {connected !== null && (
              <>
                <Button
                  size="small"
                  aria-label={`Test ${label}`}
                  {...busyButton(test.isPending, () => test.mutate({ params }))}
                >
                  {test.isPending ? 'Sending…' : 'Test'}
                </Button>
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
      {error !== null && (
        <div className={layout.inset}>
          <FailureBanner error={error} text={`${label} was not reached.`} />
        </div>
      )}
      {asks && (
        <ConfirmDialog
          title={`Disconnect ${label}?`}
          text="Its address and secrets are deleted, and what still waits is not sent."
          confirmLabel={forget.isPending ? 'Disconnecting…' : 'Disconnect'}
          busy={forget.isPending}
          error={forget.isError ? errorInFull(forget.error, `${label} is still connected.`) : undefined}
          onConfirm={() => forget.mutate({ params })}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

const NO_OUTLET = 'This installation has none. An admin sets it up in Settings, Mail and Telegram.'

/** Where a person is told things beside the app: each is connected, tested, switched and taken off here. */
export function ChannelsCard({ settings }: { settings: NotificationSettings }) {
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'telegram' | 'email' | 'webhook' | null>(null)
  const { outlets, telegram, email, push, webhook } = settings
  const browser = useBrowserPush(outlets.push, () => {
    void queryClient.invalidateQueries({ queryKey: endpointKey(notificationSettings) })
  })
  const on = CHANNEL_NAMES.filter((channel) => settings[channel]?.isOn).length
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
    <Card title="Channels" facts={`${on} on`} flush>
      {browser.error !== null && (
        <div className={layout.inset}>
          <FailureBanner error={browser.error} text="This browser was not changed." />
        </div>
      )}
      <ChannelRow
        channel="telegram"
        connected={telegram}
        obstacle={outlets.telegram === null ? NO_OUTLET : null}
        action={outlets.telegram !== null && telegram === null && connect('telegram', 'Connect')}
      />
      <ChannelRow
        channel="email"
        connected={email}
        obstacle={outlets.email ? null : NO_OUTLET}
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
