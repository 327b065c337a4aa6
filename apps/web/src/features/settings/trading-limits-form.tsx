import { Box, Button, Typography } from '@mui/material'
import { changeTradingLimits, type TradingLimits, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../shared/api/use-endpoint.ts'
import { formatMoneyUnit } from '../../shared/format/money.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { NumberField } from '../../shared/ui/number-field.tsx'

const NOT_A_LIMIT = 'A limit is a number, 0 or more'

/** How much one real order, and all of a day, may be worth. */
export function TradingLimitsForm({ limits }: { limits: TradingLimits }) {
  const queryClient = useQueryClient()
  const [order, setOrder] = useState<number | null>(limits.maxOrderNotional)
  const [day, setDay] = useState<number | null>(limits.maxDayNotional)
  const save = useEndpointMutation(changeTradingLimits, {
    onSuccess: (next) => queryClient.setQueryData(endpointKey(tradingLimits, {}), next),
  })
  const wrong = (value: number | null) => (value === null || value < 0 ? NOT_A_LIMIT : undefined)
  const isChanged = order !== limits.maxOrderNotional || day !== limits.maxDayNotional
  const canSave = isChanged && order !== null && day !== null && order >= 0 && day >= 0
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
          label="One order at most"
          unit={limits.currency}
          min={0}
          value={order}
          onChange={setOrder}
          error={wrong(order)}
        />
        <NumberField
          label="All orders of 24 hours at most"
          unit={limits.currency}
          min={0}
          value={day}
          onChange={setDay}
          error={wrong(day)}
        />
      </Box>
      <Typography variant="small" sx={{ color: colors.text2 }}>
        {formatMoneyUnit(limits.usedNotional, limits.currency)} of the last 24 hours are used. 0 forbids purchases for
        real money; stop-losses always stand, and what was bought here may always be sold.
      </Typography>
      <Box>
        <Button
          variant="contained"
          disabled={!canSave}
          title={isChanged ? undefined : 'Nothing is changed yet'}
          {...busyPress(save.isPending, () => {
            if (order !== null && day !== null) save.mutate({ body: { maxOrderNotional: order, maxDayNotional: day } })
          })}
        >
          {save.isPending ? 'Saving…' : 'Save limits'}
        </Button>
      </Box>
    </Box>
  )
}
