import { Box, Tooltip } from '@mui/material'
import { FlaskConical, History } from 'lucide-react'
import { useHealth } from '../api/use-health.ts'
import { colors } from '../theme/tokens.ts'
import { typeScale } from '../theme/typography.ts'
import { marketLabel } from './market-label.ts'

/** Says beside prices that they are simulated or played back; nothing where they are an exchange's own of this moment. */
export function MarketCaution() {
  const { data } = useHealth()
  if (data === undefined || data.market === 'live') return null
  const { text, detail } = marketLabel(data)
  return (
    <Tooltip title={detail}>
      <Box
        component="span"
        sx={{ ...typeScale.label, display: 'inline-flex', alignItems: 'center', gap: 0.75, color: colors.warn }}
      >
        {data.market === 'simulated' ? <FlaskConical size={13} /> : <History size={13} />}
        {text}
      </Box>
    </Tooltip>
  )
}
