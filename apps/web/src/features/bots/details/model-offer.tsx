import { Box, Button } from '@mui/material'
import { takeModel } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { errorText } from '../../../shared/api/error-text.ts'
import { Banner } from '../../../shared/ui/banner.tsx'
import { busyPress } from '../../../shared/ui/busy-press.ts'
import { useBotAction } from '../use-bot-actions.ts'

/** What a bot's owner is offered where its model was trained again. */
export function ModelOffer({ bot }: { bot: Bot }) {
  const take = useBotAction(takeModel)
  const offered = bot.models.filter(({ offer }) => offer !== null)
  if (offered.length === 0) return null
  const versions = [...new Set(offered.map(({ offer }) => offer!.version))].join(', ')
  const waits = offered.every(({ takesNext }) => takesNext)
  return (
    <Banner
      kind="info"
      title={waits ? `It takes the newer ${versions} once it holds nothing` : `${versions} was trained again`}
    >
      {!waits && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <span>
            {take.isError
              ? errorText(take.error, 'It could not be taken.')
              : 'This bot goes on with the training of its start. A position is held to its end first.'}
          </span>
          <Button
            size="small"
            variant="secondary"
            {...busyPress(take.isPending, () => take.mutate({ params: { id: bot.id }, body: {} }))}
          >
            {take.isPending ? 'Taking it…' : 'Use the newer one'}
          </Button>
        </Box>
      )}
    </Banner>
  )
}
