import { Box, ButtonBase, Card, Typography } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { MoneyChip, ReadOnlyChip, VisibilityChip } from '#entities/bots/bot-chips.tsx'
import {
  doesWords,
  futuresFacts,
  MARKET_TYPE_LABEL,
  RISK_LABEL,
  returnPctOf,
  shownPairs,
  sizeWords,
  strategyWords,
} from '#entities/bots/bot-words.ts'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { formatMoney, formatPnlUnit } from '#kit/format/money.ts'
import { directionOf, formatCount } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct, formatSharePct } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { Chip } from '#kit/ui/chip.tsx'
import type { Fact } from '#kit/ui/facts.tsx'
import { Figure } from '#kit/ui/figure.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { winRatePctOf } from '../bot-summary.ts'
import { BotActionButtons } from '../menu/bot-action-buttons.tsx'
import { BotMenu } from '../menu/bot-menu.tsx'

/** Pairs named on a card before the rest is counted. */
const PAIRS_NAMED = 3

/** The id of the control that opens the details of a bot. */
export const openerOf = (id: string) => `open-${id}`

export interface BotCardProps {
  bot: Bot
  /** Whether the reader may start, stop and change it. */
  isMine: boolean
  marketOf: (symbol: string) => Market | undefined
  onOpen: (id: string) => void
}

/** A bot: what it is, how it stands, and what its owner can do with it. */
export const BotCard = memo(function BotCard({ bot, isMine, marketOf, onOpen }: BotCardProps) {
  return (
    <Card
      component="article"
      aria-label={bot.name}
      sx={{ position: 'relative', display: 'flex', flexDirection: 'column', minWidth: 0, ...hoverStyle }}
    >
      <Head bot={bot} isMine={isMine} onOpen={onOpen} />
      <FigureBand bot={bot} />
      <Does bot={bot} marketOf={marketOf} />
      <FactColumns bot={bot} marketOf={marketOf} />
      <Pairs bot={bot} />
      <StatusReason bot={bot} />
      <Footer bot={bot} isMine={isMine} />
    </Card>
  )
})

/** The whole card opens the details; what can be pressed lies above that. */
function Head({ bot, isMine, onOpen }: Pick<BotCardProps, 'bot' | 'isMine' | 'onOpen'>) {
  return (
    <Box sx={{ px: 2, pt: 2, pb: 1.75 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minHeight: 26 }}>
        <Typography component="h2" variant="h3" noWrap title={bot.name} sx={{ minWidth: 0 }}>
          <ButtonBase
            id={openerOf(bot.id)}
            onClick={() => onOpen(bot.id)}
            aria-label={`Open ${bot.name}`}
            sx={coverStyle}
          >
            {bot.name}
          </ButtonBase>
        </Typography>
        <Box sx={bareChipStyle}>
          <BotStatusChip status={bot.status} />
        </Box>
        {isMine && (
          <Box sx={{ ml: 'auto', mr: -0.75, ...aboveStyle }}>
            <BotMenu bot={bot} />
          </Box>
        )}
      </Box>
      <Typography variant="small" title={bot.description} sx={descriptionStyle}>
        {bot.description}
      </Typography>
      <Box sx={{ mt: 1.25, display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
        <VisibilityChip visibility={bot.visibility} />
        <MoneyChip isVirtual={bot.isVirtual} />
        {!isMine && <ReadOnlyChip />}
      </Box>
    </Box>
  )
}

function FigureBand({ bot }: { bot: Bot }) {
  const returnPct = returnPctOf(bot)
  const direction = directionOf(returnPct)
  return (
    <Box sx={bandStyle}>
      <Figure size="S" label="Balance" value={formatMoney(bot.currentBalance)} unit="USDT" />
      <Figure
        size="S"
        label="Return"
        value={formatChangePct(returnPct)}
        tone={direction === 'flat' ? 'plain' : direction}
      />
      <Figure size="S" label="Trades" value={formatCount(bot.totalTrades)} />
      <Figure size="S" label="Win rate" value={formatSharePct(winRatePctOf(bot))} />
    </Box>
  )
}

/** What it does and holds, and what that has made so far. */
function Does({ bot, marketOf }: Pick<BotCardProps, 'bot' | 'marketOf'>) {
  const direction = directionOf(bot.openPnL)
  return (
    <Typography variant="small" sx={{ px: 2, pt: 1.5, display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
      <span>{doesWords(bot, marketOf)}</span>
      {bot.positions.length > 0 && (
        <Box component="span" sx={{ ml: 'auto', color: directionColor(direction) }}>
          Open {formatPnlUnit(bot.openPnL, 'USDT')}
        </Box>
      )}
    </Typography>
  )
}

function FactColumns({ bot, marketOf }: Pick<BotCardProps, 'bot' | 'marketOf'>) {
  const facts: Fact[] = [
    { label: 'Strategy', value: strategyWords(bot) },
    { label: 'Risk level', value: RISK_LABEL[bot.riskLevel] },
    { label: 'Market', value: MARKET_TYPE_LABEL[bot.marketType] },
    { label: 'Position size', value: sizeWords(bot, marketOf) },
    { label: 'Pairs', value: formatCount(bot.tradingPairs.length) },
    { label: 'Max drawdown', value: formatLimitPct(bot.maxDrawdown) },
  ]
  return (
    <Box component="dl" sx={factsStyle}>
      {facts.map(({ label, value }) => (
        <Box key={label} sx={factStyle}>
          <Typography component="dt" variant="small" sx={factLabelStyle}>
            {label}
          </Typography>
          <Typography component="dd" variant="small" sx={{ m: 0, fontWeight: 500 }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}

function Pairs({ bot }: { bot: Bot }) {
  const { named, more } = shownPairs(bot.tradingPairs, PAIRS_NAMED)
  const futures = futuresFacts(bot)
  return (
    <Box sx={{ px: 2, pt: 1.5, pb: 1.75, display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
      {named.map((pair) => (
        <Chip key={pair} label={pair} />
      ))}
      {more > 0 && <Chip label={`+${more}`} title={bot.tradingPairs.join(', ')} />}
      {futures.length > 0 && (
        <Box sx={{ ml: 'auto', flexBasis: { xs: '100%', sm: 'auto' }, display: 'flex', gap: 0.5 }}>
          {futures.map((fact) => (
            <Chip key={fact} label={fact} tone="outline" />
          ))}
        </Box>
      )}
    </Box>
  )
}

/** Why it stands still: a limit that was reached, or what failed. */
function StatusReason({ bot }: { bot: Bot }) {
  if (bot.statusReason === null || bot.status === 'active') return null
  const failed = bot.status === 'error'
  return (
    <Typography
      variant="small"
      sx={{
        px: 2,
        pb: 1.5,
        display: 'flex',
        gap: 1,
        color: failed ? colors.down : colors.warn,
        '& > svg': { flexShrink: 0, mt: '1px' },
      }}
    >
      {failed ? <CircleAlert size={16} /> : <TriangleAlert size={16} />}
      <span>{bot.statusReason}</span>
    </Typography>
  )
}

function Footer({ bot, isMine }: Pick<BotCardProps, 'bot' | 'isMine'>) {
  return (
    <Box sx={footerStyle}>
      <Typography variant="small" sx={{ color: colors.text2 }}>
        {bot.lastTradeAt === null ? (
          bot.positions.length > 0 ? (
            'No trade closed yet'
          ) : (
            'No trade yet'
          )
        ) : (
          <>
            Last trade <MarketAgo ms={bot.lastTradeAt} />
          </>
        )}
      </Typography>
      {isMine ? (
        <Box sx={{ ml: 'auto', ...aboveStyle }}>
          <BotActionButtons bot={bot} />
        </Box>
      ) : (
        <Typography variant="small" sx={{ ml: { sm: 'auto' }, color: colors.text2 }}>
          Public bot — actions limited to owner.
        </Typography>
      )}
    </Box>
  )
}

const aboveStyle = { position: 'relative', zIndex: 1 } as const
const hoverStyle = { '&:hover': { borderColor: colors.buttonEdge } } as const
/** The name's button covers the card, so that a press anywhere opens it. */
const coverStyle = {
  // The card is what its area is measured by.
  position: 'static',
  display: 'block',
  maxWidth: '100%',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  font: 'inherit',
  letterSpacing: 'inherit',
  borderRadius: 1,
  '&&::after': {
    content: '""',
    position: 'absolute',
    top: 0,
    left: 0,
    width: '100%',
    height: '100%',
    translate: 'none',
  },
} as const
const bareChipStyle = {
  flexShrink: 0,
  '& .MuiChip-root': { backgroundColor: 'transparent' },
  '& .MuiChip-icon': { ml: '0 !important' },
} as const
/** One line where cards stand beside each other, so that what follows aligns; two on a phone. */
const descriptionStyle = {
  mt: 0.25,
  minHeight: { sm: 18 },
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: { xs: '2', sm: '1' },
  overflow: 'hidden',
  overflowWrap: 'anywhere',
  color: colors.text2,
} as const
/** Label left and value right in two columns; below sm three columns of label over value. */
const factsStyle = {
  m: 0,
  px: 2,
  pt: 1.75,
  display: 'grid',
  columnGap: { xs: 1.5, sm: 2.5 },
  rowGap: 1,
  gridTemplateColumns: { xs: 'repeat(3, minmax(0, 1fr))', sm: 'repeat(2, minmax(0, 1fr))' },
} as const
const factStyle = {
  minWidth: 0,
  display: { xs: 'block', sm: 'flex' },
  justifyContent: 'space-between',
  gap: 2,
} as const
const factLabelStyle = {
  flexShrink: 0,
  color: colors.text2,
  fontSize: { xs: typeScale.label.fontSize, sm: typeScale.small.fontSize },
} as const
const bandStyle = {
  px: 2,
  py: 1.25,
  display: 'grid',
  gap: 1.5,
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: '1.6fr 1.2fr .9fr 1fr' },
  backgroundColor: colors.well,
  borderTop: `1px solid ${colors.divider}`,
  borderBottom: `1px solid ${colors.divider}`,
  // Words with a meaning lie above the name's button.
  '& dfn': aboveStyle,
} as const
const footerStyle = {
  mt: 'auto',
  px: 2,
  py: 1,
  minHeight: 52,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  borderTop: `1px solid ${colors.divider}`,
} as const
