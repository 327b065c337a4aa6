import { Box, Button, Typography } from '@mui/material'
import { deleteKeys, type KeptKey, keptKeys } from '@shapecast/contracts/exchange-keys'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../shared/api/use-endpoint.ts'
import { formatCounted } from '../../shared/format/number.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Ago } from '../../shared/ui/ago.tsx'
import { Banner } from '../../shared/ui/banner.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Chip } from '../../shared/ui/chip.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'

const venueName = (venue: string) => venue.charAt(0).toUpperCase() + venue.slice(1)

/** What is kept of the key, and the way to forget it. */
export function KeptKeyCard({ keys }: { keys: readonly KeptKey[] }) {
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const forget = useEndpointMutation(deleteKeys, {
    onSuccess: () => {
      setIsAsking(false)
      return queryClient.invalidateQueries({ queryKey: endpointKey(keptKeys) })
    },
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
                  <Typography sx={{ fontWeight: 500 }}>{venueName(key.venue)}</Typography>
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
              <Button
                size="small"
                onClick={() => setIsAsking(true)}
                aria-label={`Forget the key of ${venueName(key.venue)}`}
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
          error={forget.isError ? errorText(forget.error, 'The key could not be forgotten.') : undefined}
          onConfirm={() => forget.mutate({})}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
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
