import { Box, Button, Typography } from '@mui/material'
import { changeRealBotsLimits, type InstallationLimits, realBotsLimits } from '@shapecast/contracts/real-bots'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../shared/api/use-endpoint.ts'
import { formatMoneyUnit } from '../../shared/format/money.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { NumberField } from '../../shared/ui/number-field.tsx'

/** How much all real bots of the installation may hold together, and how often they may buy. */
export function BotsLimitsForm({ limits }: { limits: InstallationLimits }) {
  const queryClient = useQueryClient()
  const [notional, setNotional] = useState<number | null>(limits.maxBotsNotional)
  const [orders, setOrders] = useState<number | null>(limits.maxOrdersAMinute)
  const save = useEndpointMutation(changeRealBotsLimits, {
    onSuccess: (next) => queryClient.setQueryData(endpointKey(realBotsLimits, {}), next),
  })
  const notionalError = notional === null || notional < 0 ? 'A limit is a number, 0 or more' : undefined
  const ordersError =
    orders === null || orders < 1 || orders > 1_000 || !Number.isInteger(orders)
      ? 'A whole number from 1 to 1,000'
      : undefined
  const isChanged = notional !== limits.maxBotsNotional || orders !== limits.maxOrdersAMinute
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {save.isError && (
        <Banner
          kind="error"
          title={errorText(save.error, 'The limits were not changed.')}
          onDismiss={() => save.reset()}
        />
      )}
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '1fr 1fr' } }}>
        <NumberField
          label="All real bots hold at most"
          unit={limits.currency}
          min={0}
          value={notional}
          onChange={setNotional}
          error={notionalError}
        />
        <NumberField
          label="Purchases a minute"
          min={1}
          step={1}
          value={orders}
          onChange={setOrders}
          error={ordersError}
        />
      </Box>
      <Typography variant="small" sx={{ color: colors.text2 }}>
        {formatMoneyUnit(limits.usedBotsNotional, limits.currency)} are held or ordered now. 0 forbids purchases; what
        bots hold may always be sold.
      </Typography>
      <Box>
        <Button
          variant="contained"
          disabled={!isChanged || notionalError !== undefined || ordersError !== undefined}
          title={isChanged ? undefined : 'Nothing is changed yet'}
          {...busyPress(save.isPending, () => {
            if (notional !== null && orders !== null)
              save.mutate({ body: { maxBotsNotional: notional, maxOrdersAMinute: orders } })
          })}
        >
          {save.isPending ? 'Saving…' : 'Save limits'}
        </Button>
      </Box>
    </Box>
  )
}
