import { Button } from '@mui/material'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Text } from '#kit/ui/text.tsx'

/** In the place of the chart: why there is none, and a way to try again where that may help. */
export function ChartUnavailable({
  reason,
  isLoading,
  onLoad,
}: {
  reason: string
  isLoading: boolean
  /** null where loading cannot help. */
  onLoad: (() => void) | null
}) {
  return (
    <div style={{ paddingBlock: 24 }}>
      <Text weight={500}>Chart unavailable</Text>
      <Text size="small" tone="text2" above={0.5} style={{ maxWidth: 560 }}>
        {reason}
      </Text>
      {onLoad !== null && (
        <Button size="small" style={{ marginTop: 12 }} {...busyButton(isLoading, onLoad)}>
          {isLoading ? 'Loading…' : 'Load Data'}
        </Button>
      )}
    </div>
  )
}
