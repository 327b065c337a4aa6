import { zodResolver } from '@hookform/resolvers/zod'
import { ExchangeKeys, putKeys } from '@shapecast/contracts/exchange-keys'
import { type Exchange, exchangeOf, exchangesInWords } from '@shapecast/contracts/exchanges'
import { useForm } from 'react-hook-form'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { registered } from '#kit/ui/form-fields.ts'
import { Column } from '#kit/ui/layout.tsx'
import { Link } from '#kit/ui/link.tsx'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { Text } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

/** Takes a key of the exchange, which tries it before it is kept. */
export function NewKeyForm({ isReplacing }: { isReplacing: boolean }) {
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
