import { Box, Button, IconButton, Dialog as MuiDialog, Typography } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { X } from 'lucide-react'
import { useId } from 'react'
import { futuresFacts, MARKET_TYPE_LABEL, sizeWords, strategyWords } from '../../../shared/bots/bot-words.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { MoneyChip, ReadOnlyChip, VisibilityChip } from '../../../shared/ui/bot-chips.tsx'
import { Chip } from '../../../shared/ui/chip.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { BotStatusChip } from '../../../shared/ui/trading-chips.tsx'
import { useIsNarrow } from '../../../shared/ui/use-is-narrow.ts'
import { BotActionButtons } from '../bot-action-buttons.tsx'
import { BotMenu } from '../bot-menu.tsx'
import { OrdersCard } from '../real/orders-card.tsx'
import { DecisionsCard } from './decisions-card.tsx'
import { EquityCard } from './equity-card.tsx'
import { FiguresBand } from './figures-band.tsx'
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
        {bot === undefined ? (
          <Typography variant="h1" component="h2" id={titleId} sx={{ flex: 1 }}>
            Bot
          </Typography>
        ) : (
          <Head bot={bot} isMine={isMine} marketOf={marketOf} titleId={titleId} />
        )}
        <IconButton size="small" aria-label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </Box>
      <Box sx={bodyStyle}>
        {bot === undefined ? (
          <EmptyState
            title="This bot does not exist, or its owner keeps it private"
            action={<Button onClick={onClose}>Back to the bots</Button>}
          />
        ) : (
          <>
            <WhyBanner bot={bot} />
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

function Head({
  bot,
  isMine,
  marketOf,
  titleId,
}: Omit<BotDetailsProps, 'bot' | 'onClose'> & { bot: Bot; titleId: string }) {
  const facts = [bot.parameters?.timeframe ?? '1h', MARKET_TYPE_LABEL[bot.marketType], ...futuresFacts(bot)]
  return (
    <>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
          <Typography variant="h1" component="h2" id={titleId} sx={{ overflowWrap: 'anywhere' }}>
            {bot.name}
          </Typography>
          <BotStatusChip status={bot.status} />
          <VisibilityChip visibility={bot.visibility} />
          <MoneyChip isVirtual={bot.isVirtual} />
          {!isMine && <ReadOnlyChip />}
          {bot.tradingPairs.map((pair) => (
            <Chip key={pair} label={pair} />
          ))}
          {facts.map((fact) => (
            <Chip key={fact} label={fact} tone="outline" />
          ))}
        </Box>
        <Typography variant="small" sx={{ mt: 0.5, color: colors.text2, overflowWrap: 'anywhere' }}>
          {[strategyWords(bot), `Size: ${sizeWords(bot, marketOf)}`, bot.description].filter(Boolean).join(' · ')}
        </Typography>
      </Box>
      {isMine && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <BotActionButtons bot={bot} />
          <BotMenu bot={bot} />
        </Box>
      )}
    </>
  )
}

const headStyle = {
  display: 'flex',
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  alignItems: 'flex-start',
  gap: 1.5,
  px: { xs: 2, md: 3 },
  py: 2,
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
