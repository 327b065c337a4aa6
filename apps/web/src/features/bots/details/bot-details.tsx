import { Box, Button, IconButton, Dialog as MuiDialog, Typography } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { POLICIES } from '@shapecast/contracts/policies'
import { ArrowLeft, X } from 'lucide-react'
import { useId } from 'react'
import { MoneyChip, ReadOnlyChip, VisibilityChip } from '#entities/bots/bot-chips.tsx'
import { futuresFacts, MARKET_TYPE_LABEL, policyOf, sizePhrase, strategyWords } from '#entities/bots/bot-words.ts'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { BotActionButtons } from '../menu/bot-action-buttons.tsx'
import { BotMenu } from '../menu/bot-menu.tsx'
import { OrdersCard } from '../real/orders-card.tsx'
import { DecisionsCard } from './decisions-card.tsx'
import { EquityCard } from './equity-card.tsx'
import { FiguresBand } from './figures-band.tsx'
import { ModelOffer } from './model-offer.tsx'
import { ParityCard } from './parity-card.tsx'
import { PositionCard } from './position-card.tsx'
import { TradesCard } from './trades-card.tsx'
import { WhyBanner } from './why-banner.tsx'

const WIDTH_PX = 1288

export interface BotDetailsProps {
  /** Undefined where the address names a bot that the reader cannot see. */
  bot: Bot | undefined
  isMine: boolean
  marketOf: (symbol: string) => Market | undefined
  onClose: () => void
}

/** All about one bot: why it trades or not, how it stands, what it holds, decided and traded. */
export function BotDetails({ bot, isMine, marketOf, onClose }: BotDetailsProps) {
  const titleId = useId()
  const isNarrow = useIsNarrow()
  const close = (
    <IconButton size="small" aria-label="Close" onClick={onClose}>
      {isNarrow ? <ArrowLeft size={18} /> : <X />}
    </IconButton>
  )
  return (
    <MuiDialog
      open
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: isNarrow ? 'none' : WIDTH_PX, backgroundColor: colors.bg } } }}
    >
      <Box sx={headStyle}>
        {isNarrow && close}
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ ...wrapStyle, minHeight: 30 }}>
            <Typography variant="h1" component="h2" id={titleId} sx={{ overflowWrap: 'anywhere' }}>
              {bot?.name ?? 'Bot'}
            </Typography>
            {bot !== undefined && <BotStatusChip status={bot.status} />}
            {bot !== undefined && !isNarrow && <Chips bot={bot} isMine={isMine} />}
          </Box>
          {bot !== undefined && !isNarrow && <Words bot={bot} marketOf={marketOf} />}
        </Box>
        {bot !== undefined && isMine && (
          <>
            {!isNarrow && <BotActionButtons bot={bot} />}
            <BotMenu bot={bot} />
          </>
        )}
        {!isNarrow && close}
      </Box>
      <Box sx={bodyStyle}>
        {bot === undefined ? (
          <EmptyState
            title="This bot does not exist, or its owner keeps it private"
            action={<Button onClick={onClose}>Back to the bots</Button>}
          />
        ) : (
          <>
            {isNarrow && (
              <Box sx={{ display: 'grid', gap: 1.5 }}>
                <Box sx={wrapStyle}>
                  <Chips bot={bot} isMine={isMine} />
                </Box>
                <Words bot={bot} marketOf={marketOf} />
                {isMine && <BotActionButtons bot={bot} isWide />}
              </Box>
            )}
            <WhyBanner bot={bot} isMine={isMine} />
            {isMine && <ModelOffer bot={bot} />}
            <FiguresBand bot={bot} />
            <Box sx={twoColumnsStyle}>
              <EquityCard bot={bot} />
              <PositionCard bot={bot} marketOf={marketOf} />
            </Box>
            {isMine && !bot.isVirtual && <OrdersCard bot={bot} marketOf={marketOf} />}
            {isMine && <ParityCard bot={bot} />}
            <DecisionsCard bot={bot} isMine={isMine} />
            <TradesCard bot={bot} marketOf={marketOf} />
          </>
        )}
      </Box>
    </MuiDialog>
  )
}

/** Who sees it, whose money it trades with, and what it trades. */
const Chips = ({ bot, isMine }: { bot: Bot; isMine: boolean }) => (
  <>
    <VisibilityChip visibility={bot.visibility} />
    <MoneyChip isVirtual={bot.isVirtual} />
    {!isMine && <ReadOnlyChip />}
    {bot.tradingPairs.map((pair) => (
      <Chip key={pair} label={pair} />
    ))}
    {[bot.parameters?.timeframe ?? '1h', MARKET_TYPE_LABEL[bot.marketType], ...futuresFacts(bot)].map((fact) => (
      <Chip key={fact} label={fact} tone="outline" />
    ))}
  </>
)

const Words = ({ bot, marketOf }: { bot: Bot; marketOf: BotDetailsProps['marketOf'] }) => (
  <Typography variant="small" sx={{ mt: { md: 0.5 }, color: colors.text2, overflowWrap: 'anywhere' }}>
    {[strategyWords(bot), POLICIES[policyOf(bot)].name, sizePhrase(bot, marketOf), bot.description]
      .filter(Boolean)
      .join(' · ')}
  </Typography>
)

const wrapStyle = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 } as const
const headStyle = {
  display: 'flex',
  alignItems: 'flex-start',
  gap: 1.5,
  // As high as the buttons beside them.
  '& > .MuiIconButton-root': { my: 0.25 },
  px: { xs: 2, md: 3 },
  py: { xs: 1.25, md: 2 },
  borderBottom: `1px solid ${colors.hairline}`,
} as const
const bodyStyle = {
  p: { xs: 2, md: 3 },
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridAutoRows: 'max-content',
  overflowY: 'auto',
} as const
const twoColumnsStyle = {
  display: 'grid',
  gap: 2,
  alignItems: 'stretch',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 1fr)' },
} as const
