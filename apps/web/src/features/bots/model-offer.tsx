import type { Bot } from '@shapecast/contracts/bots'
import { policyOf } from '#entities/bots/bot-words.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Row } from '#kit/ui/primitives.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useTakeModel } from './use-bot.ts'

/** What a bot's owner is offered where its model was trained again. */
export function ModelOffer({ bot }: { bot: Bot }) {
  const take = useTakeModel()
  const offer = offeredModel(bot)
  if (offer === null) return null
  return (
    <Banner kind="info" title={offer.agreed ?? `${offer.versions} was trained again`}>
      {offer.agreed === null && (
        <Row wrap gap={1.5}>
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
        </Row>
      )}
    </Banner>
  )
}

export interface OfferedModel {
  /** `v3`, or `v3, v4` of an ensemble. */
  versions: string
  /** That the bot takes it without a further word, and when; null until its owner says so. */
  agreed: string | null
  /** What it waits for where the bot holds something. */
  wait: string
}

/** The newer training of its models that a bot is offered, in words; null where there is none. */
export function offeredModel(bot: Pick<Bot, 'models' | 'parameters'>): OfferedModel | null {
  const offered = bot.models.filter(({ offer }) => offer !== null)
  if (offered.length === 0) return null
  const versions = [...new Set(offered.map(({ offer }) => offer!.version))].join(', ')
  const isSignal = policyOf(bot) === 'signal'
  const isAgreed = bot.parameters?.followModel === true || offered.every(({ takesNext }) => takesNext)
  return {
    versions,
    agreed: isAgreed
      ? `It takes the newer ${versions} ${isSignal ? 'once it holds nothing' : 'at its next daily decision'}`
      : null,
    wait: isSignal
      ? 'A position is held to its end first.'
      : 'While it holds something, it is taken at its next daily decision.',
  }
}

export const NOT_TAKEN = 'It could not be taken.'
