import { Box, Button } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { errorText } from '#wire/calls/error-text.ts'
import { NOT_TAKEN, offeredModel } from '../offered-model.ts'
import { useTakeModel } from '../use-bot-actions.ts'

/** What a bot's owner is offered where its model was trained again. */
export function ModelOffer({ bot }: { bot: Bot }) {
  const take = useTakeModel()
  const offer = offeredModel(bot)
  if (offer === null) return null
  return (
    <Banner kind="info" title={offer.agreed ?? `${offer.versions} was trained again`}>
      {offer.agreed === null && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <span>
            {take.isError
              ? errorText(take.error, NOT_TAKEN)
              : `This bot goes on with the training of its start. ${offer.wait}`}
          </span>
          <Button
            size="small"
            variant="secondary"
            {...busyButton(take.isPending, () => take.mutate({ params: { id: bot.id }, body: {} }))}
          >
            {take.isPending ? 'Taking it…' : 'Use the newer one'}
          </Button>
        </Box>
      )}
    </Banner>
  )
}
