import { balance } from '@shapecast/contracts/accounts'
import { deleteKeys, type KeptKey } from '@shapecast/contracts/exchange-keys'
import { exchangeName } from '@shapecast/contracts/exchanges'
import { useState } from 'react'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** What is kept of the key, and the way to forget it. */
export function KeptKeyCard({ keys }: { keys: readonly KeptKey[] }) {
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
          confirmLabel={forget.isPending ? 'Forgetting…' : 'Forget'}
          busy={forget.isPending}
          error={forget.isError ? errorInFull(forget.error, 'The key could not be forgotten.') : undefined}
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
