import { Box, Button, Checkbox, Typography } from '@mui/material'
import {
  ALWAYS_TOLD,
  changeNotificationSettings,
  type Delivery,
  deleteWebhook,
  deliveries,
  MOST_TRIES,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationSettings,
  notificationSettings,
  renewWebhookSecret,
  retryDelivery,
  setWebhook,
  testWebhook,
} from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { errorText } from '../../shared/api/error-text.ts'
import { endpointKey, useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { formatDateTime, formatTableTime } from '../../shared/format/time.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { FailureNote } from '../../shared/ui/failure-note.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'

const KINDS: Readonly<Record<NotificationKind, { name: string; about: string }>> = {
  fill: { name: 'Fills', about: 'A bot opened or closed a position' },
  halt: { name: 'Halts', about: 'Drawdown limit, liquidation, exchange halt, kill switch' },
  error: { name: 'Errors', about: 'A bot stopped by itself, or an order was refused' },
  job: { name: 'Finished jobs', about: 'Training, backtest, import, export' },
  model: { name: 'Model changes', about: 'A model that your bots use became worse or was replaced' },
  task: { name: 'Tasks', about: 'Votes and comments on your tasks, status changes' },
  security: { name: 'Security', about: 'Sign-in on a new device, password or two-factor changed' },
}

/** What to be told of, and the webhook that it may also be sent to. */
export function NotificationsPage() {
  const reply = useEndpointQuery(notificationSettings, {})
  return (
    <Box sx={{ display: 'grid', gap: { xs: 1.5, md: 2 }, gridTemplateColumns: 'minmax(0, 880px)' }}>
      {reply.isPending && <ListSkeleton label="Loading your choices" rowHeightPx={36} rows={7} />}
      <FailureNote reply={reply} title="Your choices could not be loaded" />
      {reply.data !== undefined && <Choices settings={reply.data} />}
      {reply.data !== undefined && <WebhookCard key={reply.data.webhook?.url} settings={reply.data} />}
    </Box>
  )
}

function useAttempt() {
  const queryClient = useQueryClient()
  const [error, setError] = useState<string | null>(null)
  return {
    error,
    async attempt(work: () => Promise<unknown>): Promise<void> {
      setError(null)
      try {
        await work()
      } catch (cause) {
        setError(errorText(cause, 'It could not be done'))
      }
      await queryClient.invalidateQueries({ queryKey: endpointKey(notificationSettings) })
      await queryClient.invalidateQueries({ queryKey: endpointKey(deliveries) })
    },
  }
}

function Choices({ settings: { choices } }: { settings: NotificationSettings }) {
  const { error, attempt } = useAttempt()
  const box = (kind: NotificationKind, way: 'app' | 'webhook') => (
    <Checkbox
      checked={choices[kind][way]}
      disabled={way === 'app' && ALWAYS_TOLD.includes(kind)}
      slotProps={{ input: { 'aria-label': `${KINDS[kind].name}, ${way === 'app' ? 'in app' : 'webhook'}` } }}
      onChange={(_, isOn) =>
        void attempt(() =>
          call(changeNotificationSettings, { body: { choices: { [kind]: { ...choices[kind], [way]: isOn } } } }),
        )
      }
    />
  )
  return (
    <Card title="What to tell you" facts="an error and a sign-in always reach you in the app" flush>
      {error !== null && <Banner kind="error" title={error} />}
      <DataTable
        label="What to tell you"
        rows={NOTIFICATION_KINDS}
        rowKey={(kind) => kind}
        columns={[
          {
            id: 'kind',
            head: 'Tell me about',
            keep: true,
            cell: (kind) => (
              <>
                {KINDS[kind].name}{' '}
                <Typography component="span" variant="small" sx={{ color: colors.text2 }}>
                  {KINDS[kind].about}
                </Typography>
              </>
            ),
          },
          { id: 'app', head: 'In app', keep: true, cell: (kind) => box(kind, 'app') },
          { id: 'webhook', head: 'Webhook', keep: true, cell: (kind) => box(kind, 'webhook') },
        ]}
      />
    </Card>
  )
}

function WebhookCard({ settings: { webhook } }: { settings: NotificationSettings }) {
  const { error, attempt } = useAttempt()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState<string | null>(null)
  const save = (isOn: boolean) =>
    attempt(async () => setSecret((await call(setWebhook, { body: { url, isOn } })).secret))
  return (
    <Card
      title="Webhook"
      facts={webhook === null ? 'none' : webhook.isOn ? 'on' : 'off'}
      actions={
        webhook !== null && (
          <Button variant="text" onClick={() => void save(!webhook.isOn)}>
            {webhook.isOn ? 'Switch off' : 'Switch on'}
          </Button>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        <TextField
          label="Address"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          help="Takes Telegram, Slack and Discord bridges. Private and loopback addresses are refused unless an admin allows them."
        />
        {secret !== null && (
          <Banner kind="info" title="Keep the signing secret: it is not shown again">
            <code>{secret}</code>
          </Banner>
        )}
        <Typography variant="small" sx={{ color: colors.text2 }}>
          {webhook !== null && `Signing secret whsec_…${webhook.secretEnd}. `}
          Each message carries <code>Shapecast-Signature: t=…,v1=HMAC-SHA256(t.body)</code>. Refuse what is older than 5
          minutes.
        </Typography>
        {error !== null && <Banner kind="error" title={error} />}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button variant="contained" disabled={url.trim() === ''} onClick={() => void save(true)}>
            Save
          </Button>
          {webhook !== null && (
            <>
              <Button onClick={() => void attempt(() => call(testWebhook, {}))}>Send a test</Button>
              <Button onClick={() => void attempt(async () => setSecret((await call(renewWebhookSecret, {})).secret))}>
                New secret
              </Button>
              <Button variant="text" onClick={() => void attempt(() => call(deleteWebhook, {}))}>
                Forget it
              </Button>
            </>
          )}
        </Box>
        {webhook !== null && (
          <Deliveries onRetry={(id) => void attempt(() => call(retryDelivery, { params: { id } }))} />
        )}
      </Box>
    </Card>
  )
}

function answerOf({ state, answer, tries, nextTryAt }: Delivery): string {
  if (state === 'delivered') return `${answer}${tries > 1 ? `, at try ${tries}` : ''}`
  if (state === 'failed') return `${answer ?? 'no answer'}, given up after ${tries} tries`
  if (tries === 0) return 'waits to be sent'
  return `${answer ?? 'being sent'}, ${tries} of ${MOST_TRIES} tries; next at ${formatDateTime(nextTryAt)}`
}

const WAITING_POLL_MS = 2_000

function Deliveries({ onRetry }: { onRetry: (id: string) => void }) {
  const reply = useEndpointQuery(
    deliveries,
    {},
    {
      refetchInterval: ({ state }) => state.data?.deliveries.some((one) => one.state === 'waiting') && WAITING_POLL_MS,
    },
  )
  const rows = reply.data?.deliveries
  return (
    <Box component="section" aria-label="Last deliveries">
      <Typography variant="h3">Last deliveries</Typography>
      <FailureNote reply={reply} title="The deliveries could not be loaded" />
      {rows?.length === 0 && <EmptyLine>Nothing was sent yet</EmptyLine>}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label="Last deliveries"
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { id: 'at', head: 'Time, UTC', keep: true, cell: (row) => formatTableTime(row.createdAt) },
            { id: 'about', head: 'About', keep: true, cell: (row) => row.about },
            { id: 'answer', head: 'Answer', keep: true, cell: answerOf },
            { id: 'took', head: 'Took, ms', figure: true, cell: (row) => row.tookMs ?? '—' },
            {
              id: 'retry',
              head: 'Again',
              cell: (row) =>
                row.state === 'delivered' ? null : (
                  <Button size="small" onClick={() => onRetry(row.id)}>
                    Try now
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Box>
  )
}
