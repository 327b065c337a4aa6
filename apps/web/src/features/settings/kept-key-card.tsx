import { Box, Button, Typography } from '@mui/material'
import { balance } from '@shapecast/contracts/accounts'
import { deleteKeys, type KeptKey } from '@shapecast/contracts/exchange-keys'
import { exchangeName } from '@shapecast/contracts/exchanges'
import { useState } from 'react'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Banner } from '#kit/ui/banner.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
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
        <Box sx={{ p: 2 }}>
          <Banner kind="warning" title={`${formatCounted(left, 'order')} of yours may still be open at the exchange`}>
            They stay there and are not followed any more. Look at them at the exchange.
          </Banner>
        </Box>
      )}
      {keys.length === 0 ? (
        <EmptyLine>No key is kept. Without one, only virtual orders are possible.</EmptyLine>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {keys.map((key) => (
            <Box component="li" key={`${key.venue} ${key.network}`} sx={rowStyle}>
              <Box sx={{ flex: 1, minWidth: 160 }}>
                <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
                  <Typography sx={{ fontWeight: 500 }}>{exchangeName(key.venue)}</Typography>
                  <Chip label={key.network === 'testnet' ? 'Testnet' : 'Mainnet'} tone="outline" />
                  {!key.readable && (
                    <Chip
                      label="cannot be read"
                      tone="down"
                      title="It was kept with another SECRET_KEY. Enter it again."
                    />
                  )}
                </Box>
                <Typography variant="small" sx={{ color: colors.text2 }}>
                  ends with {key.lastFour} · saved <Ago ms={key.savedAt} />
                </Typography>
              </Box>
              <TestKey name={exchangeName(key.venue)} />
              <Button
                size="small"
                onClick={() => setIsAsking(true)}
                aria-label={`Forget the key of ${exchangeName(key.venue)}`}
              >
                Forget
              </Button>
            </Box>
          ))}
        </Box>
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
        <Typography
          role="status"
          variant="small"
          sx={{ color: test.isError ? colors.down : colors.text2, overflowWrap: 'anywhere' }}
        >
          {test.isError
            ? errorInFull(test.error, 'The exchange could not be asked.')
            : `Works: ${formatMoneyUnit(test.data.available, test.data.currency)} free`}
        </Typography>
      )}
      <Button
        size="small"
        aria-label={`Test the key of ${name}`}
        {...busyPress(test.isFetching, () => void test.refetch())}
      >
        {test.isFetching ? 'Testing…' : 'Test'}
      </Button>
    </>
  )
}

const rowStyle = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1.5,
  px: 2,
  py: 1.25,
  '& + &': { borderTop: `1px solid ${colors.divider}` },
} as const
