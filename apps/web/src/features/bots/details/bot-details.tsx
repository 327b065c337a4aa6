import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { ArrowLeft, X } from 'lucide-react'
import { useId } from 'react'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { Button, IconButton, LinkButton } from '#kit/ui/button.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import { Modal } from '#kit/ui/modal.tsx'
import { Text } from '#kit/ui/text.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { paths } from '#routes/paths.ts'
import { BotActionButtons } from '../menu/bot-action-buttons.tsx'
import { BotMenu } from '../menu/bot-menu.tsx'
import { ModelOffer } from '../model-offer.tsx'
import css from './bot-details.module.css'
import { BotFacts, BotWords } from './bot-facts.tsx'
import { EquityCard } from './equity-card.tsx'
import { FiguresBand } from './figures-band.tsx'
import { PositionCard } from './position-card.tsx'
import { WhyBanner } from './why-banner.tsx'

export interface BotDetailsProps {
  /** Undefined where the address names a bot that the reader cannot see. */
  bot: Bot | undefined
  isMine: boolean
  marketOf: (symbol: string) => Market | undefined
  onClose: () => void
}

/** A bot at a glance: why it trades or not, how it stands and what it holds. All else is on its page. */
export function BotDetails({ bot, isMine, marketOf, onClose }: BotDetailsProps) {
  const titleId = useId()
  const isNarrow = useIsNarrow()
  const close = (
    <IconButton size="small" aria-label="Close" onClick={onClose}>
      {isNarrow ? <ArrowLeft size={18} /> : <X />}
    </IconButton>
  )
  return (
    <Modal onClose={onClose} aria-labelledby={titleId} fullScreen={isNarrow} className={css.paper}>
      <div className={css.head}>
        {isNarrow && close}
        <div className={css.titles}>
          <div className={css.title}>
            <Text size="h1" as="h2" id={titleId} breaks>
              {bot?.name ?? 'Bot'}
            </Text>
            {bot !== undefined && <BotStatusChip status={bot.status} isPlain />}
            {bot !== undefined && !isNarrow && <BotFacts bot={bot} isMine={isMine} />}
          </div>
          {bot !== undefined && !isNarrow && <BotWords bot={bot} marketOf={marketOf} />}
        </div>
        {bot !== undefined && (
          <>
            <LinkButton size="small" to={paths.bot(bot.id)}>
              Open page
            </LinkButton>
            {isMine && !isNarrow && <BotActionButtons bot={bot} />}
            {isMine && <BotMenu bot={bot} />}
          </>
        )}
        {!isNarrow && close}
      </div>
      <div className={css.body}>
        {bot === undefined ? (
          <EmptyState
            title="This bot does not exist, or its owner keeps it private"
            action={<Button onClick={onClose}>Back to the bots</Button>}
          />
        ) : (
          <>
            {isNarrow && (
              <div className={css.narrow}>
                <div className={css.title}>
                  <BotFacts bot={bot} isMine={isMine} />
                </div>
                <BotWords bot={bot} marketOf={marketOf} />
                {isMine && <BotActionButtons bot={bot} isWide />}
              </div>
            )}
            <WhyBanner bot={bot} isMine={isMine} />
            {isMine && <ModelOffer bot={bot} />}
            <FiguresBand bot={bot} />
            <div className={css.columns}>
              <EquityCard bot={bot} />
              <PositionCard bot={bot} isMine={isMine} marketOf={marketOf} />
            </div>
          </>
        )}
      </div>
    </Modal>
  )
}
