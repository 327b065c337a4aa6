import { zodResolver } from '@hookform/resolvers/zod'
import { balance } from '@shapecast/contracts/accounts'
import {
  deleteKeys,
  ExchangeKeys,
  type KeptKey,
  keptKeys,
  putKeys,
  tradingLimits,
} from '@shapecast/contracts/exchange-keys'
import { type Exchange, exchangeName, exchangeOf, exchangesInWords } from '@shapecast/contracts/exchanges'
import { realBotsLimits } from '@shapecast/contracts/real-bots'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { registered } from '#kit/ui/field.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Link, Row, Text } from '#kit/ui/primitives.tsx'
import { PasswordField, TextField } from '#kit/ui/text-field.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { confirming, FailedChange } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { BotsLimitsForm, TradingLimitsForm } from './limits-form.tsx'

/** The caller's key of the exchange, and how much real orders may be worth. */
export function ExchangeKeysPage() {
  const isAdmin = useUser()?.role === 'admin'
  const keys = useEndpointQuery(keptKeys, {})
  const limits = useEndpointQuery(tradingLimits, {}, { enabled: isAdmin })
  const botsLimits = useEndpointQuery(realBotsLimits, {}, { enabled: isAdmin })
  return (
    <div className={layout.formColumn}>
      {keys.data !== undefined ? (
        <KeptKeyCard keys={keys.data} />
      ) : (
        <Card title="API key" flush>
          <QueryBoundary reply={keys} of="the key" px={28} rows={1} inset />
        </Card>
      )}
      {isAdmin && <NewKeyForm isReplacing={(keys.data?.length ?? 0) > 0} />}
      {isAdmin && (
        <Card title="Your limits for real money" facts="orders and bots of yours, from the next order on">
          <QueryBoundary reply={limits} of="the limits" px={28} rows={2} />
          {limits.data !== undefined && <TradingLimitsForm key={JSON.stringify(limits.data)} limits={limits.data} />}
        </Card>
      )}
      {isAdmin && (
        <Card title="Limits of all real bots" facts="of everybody here, together">
          <QueryBoundary reply={botsLimits} of="the limits of bots" px={28} rows={2} />
          {botsLimits.data !== undefined && (
            <BotsLimitsForm key={JSON.stringify(botsLimits.data)} limits={botsLimits.data} />
          )}
        </Card>
      )}
    </div>
  )
}

/** Takes a key of the exchange, which tries it before it is kept. */
function NewKeyForm({ isReplacing }: { isReplacing: boolean }) {
  const health = useHealth().data
  const exchange = health === undefined ? undefined : exchangeOf(health.venue)
  const form = useForm({
    resolver: zodResolver(ExchangeKeys),
    defaultValues: { apiKey: '', secret: '', password: undefined },
  })
  const save = useEndpointMutation(putKeys, {
    onSuccess: () => form.reset(),
  })
  return (
    <Card title={isReplacing ? 'Replace the key' : 'Add a key'}>
      <Column as="form" gap={1.5} noValidate onSubmit={form.handleSubmit((body) => save.mutate({ body }))}>
        <FailedChange change={save} text="The key was not kept." />
        {save.isSuccess && <Banner kind="info" title={`Kept. The key ends with ${save.data.lastFour}`} />}
        <TextField label="API key" autoComplete="off" {...registered(form, 'apiKey')} />
        <PasswordField label="Secret" autoComplete="off" {...registered(form, 'secret')} />
        {exchange?.passphrase !== false && (
          <PasswordField
            label="Passphrase"
            {...(exchange === undefined && { labelNote: 'only where your exchange asks for one' })}
            autoComplete="off"
            {...form.register('password', { setValueAs: (text: string) => text || undefined })}
          />
        )}
        {exchange === undefined ? (
          <Banner kind="info" title="This market takes no real orders">
            Real orders go to {exchangesInWords()}. To send them, set MARKET to one of them and start the program again.
          </Banner>
        ) : (
          <KeyRights exchange={exchange} isTestnet={health?.testnet === true} />
        )}
        <div>
          <Button
            type="submit"
            variant="contained"
            disabled={health !== undefined && exchange === undefined}
            {...busyButton(save.isPending)}
          >
            {save.isPending ? 'Trying it…' : 'Save key'}
          </Button>
        </div>
      </Column>
    </Card>
  )
}

/** Which rights the key takes, in the exchange's own words, and where one for its sandbox is made. */
function KeyRights({ exchange, isTestnet }: { exchange: Exchange; isTestnet: boolean }) {
  const rights = exchange.spot?.keyRights ?? []
  const onFutures = exchange.futures?.keyRights.filter((right) => !rights.includes(right)) ?? []
  return (
    <Text as="div" size="small" tone="text2">
      {exchange.name}: switch on {rights.map((right) => `‘${right}’`).join(', ')}
      {onFutures.length > 0 && ` (for bots on futures ${onFutures.map((right) => `‘${right}’`).join(', ')} too)`}, and
      leave ‘{exchange.withdrawRight}’ off: a key that may withdraw is refused. It is tried at the exchange before it is
      kept.
      {isTestnet && (
        <>
          {' '}
          Orders go to its testnet; keys for it are made{' '}
          <Link href={exchange.sandboxKeys} target="_blank" rel="noreferrer">
            there
          </Link>
          .
        </>
      )}
    </Text>
  )
}

/** What is kept of the key, and the way to forget it. */
function KeptKeyCard({ keys }: { keys: readonly KeptKey[] }) {
  const [isAsking, setIsAsking] = useState(false)
  const forget = useEndpointMutation(deleteKeys, {
    onSuccess: () => setIsAsking(false),
  })
  const left = forget.data?.unsettledOrders ?? 0
  return (
    <Card title="API key" facts="kept encrypted; the key itself is never shown again" flush>
      {left > 0 && (
        <div className={layout.inset}>
          <Banner kind="warning" title={`${formatCounted(left, 'order')} of yours may still be open at the exchange`}>
            They stay there and are not followed any more. Look at them at the exchange.
          </Banner>
        </div>
      )}
      {keys.length === 0 ? (
        <EmptyLine>No key is kept. Without one, only virtual orders are possible.</EmptyLine>
      ) : (
        <ul className={layout.list}>
          {keys.map((key) => (
            <Row as="li" gap={1.5} wrap key={`${key.venue} ${key.network}`} className={layout.listRow}>
              <div style={{ flex: 1, minWidth: 160 }}>
                <Row gap={1} wrap>
                  <Text weight={500}>{exchangeName(key.venue)}</Text>
                  <Chip label={key.network === 'testnet' ? 'Testnet' : 'Mainnet'} tone="outline" />
                  {!key.readable && (
                    <Chip
                      label="cannot be read"
                      tone="down"
                      title="It was kept with another SECRET_KEY. Enter it again."
                    />
                  )}
                </Row>
                <Text size="small" tone="text2">
                  ends with {key.lastFour} · saved <Ago ms={key.savedAt} />
                </Text>
              </div>
              <TestKey name={exchangeName(key.venue)} />
              <Button
                size="small"
                onClick={() => setIsAsking(true)}
                aria-label={`Forget the key of ${exchangeName(key.venue)}`}
              >
                Forget
              </Button>
            </Row>
          ))}
        </ul>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Forget the API key?"
          text="Real bots and orders stop. Orders that are open at the exchange stay there and are not followed any more."
          {...confirming(forget, 'Forget', 'Forgetting…', 'The key could not be forgotten.')}
          onConfirm={() => forget.mutate({})}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  )
}

/** Asks the exchange for the account of the key: it answers only to one that holds. */
function TestKey({ name }: { name: string }) {
  const test = useEndpointQuery(balance, { query: { isVirtual: 'false' } }, { enabled: false, retry: false })
  return (
    <>
      {(test.isError || test.isSuccess) && !test.isFetching && (
        <Text breaks size="small" tone={test.isError ? 'down' : 'text2'} role="status">
          {test.isError
            ? errorInFull(test.error, 'The exchange could not be asked.')
            : `Works: ${formatMoneyUnit(test.data.available, test.data.currency)} free`}
        </Text>
      )}
      <Button
        size="small"
        aria-label={`Test the key of ${name}`}
        {...busyButton(test.isFetching, () => void test.refetch())}
      >
        {test.isFetching ? 'Testing…' : 'Test'}
      </Button>
    </>
  )
}
