import { linkTelegram, notificationSettings } from '@shapecast/contracts/notifications'
import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatHour, zoneWords } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import { CopyButton } from '#kit/ui/copy-button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { Column, Link, Row, Text } from '#kit/ui/primitives.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

const LOOK_EVERY_MS = 2_000

/** A code to be sent to the bot, until the chat is connected. */
export function TelegramDialog({ onClose }: { onClose: () => void }) {
  const [openedMs] = useState(Date.now)
  const { mutate, data, error } = useEndpointMutation(linkTelegram)
  useEffect(() => mutate({}), [mutate])
  const settings = useEndpointQuery(notificationSettings, {}, { refetchInterval: LOOK_EVERY_MS })
  const connected = settings.data?.telegram
  const isConnected = connected != null && connected.since >= openedMs - LOOK_EVERY_MS
  return (
    <Dialog
      title="Connect Telegram"
      onClose={onClose}
      actions={
        <Button variant={isConnected ? 'contained' : 'text'} onClick={onClose}>
          {isConnected ? 'Done' : 'Cancel'}
        </Button>
      }
    >
      <Column gap={1.5}>
        <FailureBanner error={error} text="There is no code." />
        {data !== undefined && !isConnected && (
          <>
            <Text>Send this code to @{data.bot}</Text>
            <Row gap={1} wrap>
              <code>{data.code}</code>
              <CopyButton value={data.code} />
              <Button as={Link} href={data.url} target="_blank" rel="noreferrer" startIcon={<ExternalLink />}>
                Open Telegram
              </Button>
            </Row>
            <Text size="small" tone="text2" role="status">
              Waiting for the message. The code works once, until {formatHour(data.expiresAt)} {zoneWords()}.
            </Text>
            <Text size="small" tone="text2">
              Once it is connected you can allow commands from there, below the channels: /status and /positions to
              look, /pause, /stop and /kill to stop. It never starts a bot, buys, or raises a limit.
            </Text>
          </>
        )}
        {isConnected && <Banner kind="info" title={`Connected as ${connected.name}`} />}
      </Column>
    </Dialog>
  )
}
