import type { Bot } from '@shapecast/contracts/bots'
import { ArrowLeft, X } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { EquityChart, type EquityChartData } from '#charts/equity-chart.tsx'
import { LineMark } from '#charts/legend-pattern.tsx'
import { BotStatusChip } from '#entities/markets/trading-chips.tsx'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { chartColors, colors } from '#kit/theme/tokens.ts'
import { Button, IconButton, LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, EmptyState } from '#kit/ui/card.tsx'
import { Modal } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Columns, Row, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { BotActionButtons, BotMenu } from '../menu/bot-actions.tsx'
import { ModelOffer } from '../model-offer.tsx'
import { mayChange, useBotEquity } from '../use-bot.ts'
import css from './bot-details.module.css'
import { BotFacts, BotWords, FiguresBand } from './bot-head.tsx'
import { PositionCard } from './position-card.tsx'
import { WhyBanner } from './why-banner.tsx'

export interface BotDetailsProps {
  /** Undefined where the address names a bot that the reader cannot see. */
  bot: Bot | undefined
  onClose: () => void
}

const TITLE = { wrap: true, gap: 1, lineGap: 0.5, style: { minHeight: 30 } } as const

/** A bot at a glance: why it trades or not, how it stands and what it holds. All else is on its page. */
export function BotDetails({ bot, onClose }: BotDetailsProps) {
  const titleId = useId()
  const isNarrow = useIsNarrow()
  const user = useUser()
  const isMine = bot !== undefined && mayChange(user, bot)
  const close = (
    <IconButton size="small" aria-label="Close" onClick={onClose}>
      {isNarrow ? <ArrowLeft size={18} /> : <X />}
    </IconButton>
  )
  return (
    <Modal onClose={onClose} aria-labelledby={titleId} fullScreen={isNarrow} className={css.paper}>
      <div className={css.head}>
        {isNarrow && close}
        <div className={layout.grow}>
          <Row {...TITLE}>
            <Text size="h1" as="h2" id={titleId} breaks>
              {bot?.name ?? 'Bot'}
            </Text>
            {bot !== undefined && <BotStatusChip status={bot.status} isPlain />}
            {bot !== undefined && !isNarrow && <BotFacts bot={bot} />}
          </Row>
          {bot !== undefined && !isNarrow && <BotWords bot={bot} />}
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
              <div className={layout.formFields}>
                <Row {...TITLE}>
                  <BotFacts bot={bot} />
                </Row>
                <BotWords bot={bot} />
                {isMine && <BotActionButtons bot={bot} isWide />}
              </div>
            )}
            <WhyBanner bot={bot} />
            {isMine && <ModelOffer bot={bot} />}
            <FiguresBand bot={bot} />
            <Columns gap={2} at={{ md: 'minmax(0, 2fr) minmax(0, 1fr)' }}>
              <EquityCard bot={bot} />
              <PositionCard bot={bot} />
            </Columns>
          </>
        )}
      </div>
    </Modal>
  )
}

const DAY_MS = 86_400_000
const SPANS = [
  { value: 'all', label: 'All' },
  { value: '30', label: '30 d' },
  { value: '7', label: '7 d' },
] as const

/** How its money went, beside the same money held. */
function EquityCard({ bot }: { bot: Bot }) {
  const [span, setSpan] = useState<(typeof SPANS)[number]['value']>('all')
  const reply = useBotEquity(bot.id)
  const data = useMemo((): EquityChartData | null => {
    if (reply.data === undefined) return null
    const last = reply.data.points.at(-1)?.t ?? 0
    const since = span === 'all' ? Number.NEGATIVE_INFINITY : last - Number(span) * DAY_MS
    return {
      equity: reply.data.points.filter(({ t }) => t >= since),
      hold: reply.data.hold.filter(({ t }) => t >= since),
      initialBalance: reply.data.initialBalance,
      maxDrawdownPct: bot.maxDrawdown,
    }
  }, [reply.data, span, bot.maxDrawdown])
  const hasPoints = data !== null && data.equity.length > 1
  return (
    <Card
      title="Equity"
      flush={!hasPoints}
      actions={<ToggleGroup label="Time shown" size="small" value={span} onChange={setSpan} choices={SPANS} />}
    >
      <QueryBoundary reply={reply} of="the equity" px={300} inset />
      {data !== null && !hasPoints && <EmptyLine>The curve begins with the second candle that it has seen.</EmptyLine>}
      {hasPoints && (
        <>
          <Legend data={data} name={bot.name} isWhole={span === 'all'} />
          <EquityChart data={data} label={`Equity of ${bot.name} beside buy and hold`} />
        </>
      )}
    </Card>
  )
}

/** Of the whole curve from what the bot began with, of a part of it from its first point. */
const changePct = (points: EquityChartData['equity'], first = points[0]?.equity): number | null => {
  const last = points.at(-1)?.equity
  return first === undefined || last === undefined || first === 0 ? null : (100 * (last - first)) / first
}

function Legend({ data, name, isWhole }: { data: EquityChartData; name: string; isWhole: boolean }) {
  const from = isWhole ? data.initialBalance : undefined
  return (
    <Row wrap gap={2.5} lineGap={0.5} align="stretch" style={{ paddingBottom: 8 }}>
      <Entry color={colors.text} label={name} pct={changePct(data.equity, from)} />
      {data.hold.length > 1 && (
        <Entry color={chartColors.emaSlow} label="Buy and hold" pct={changePct(data.hold, from)} />
      )}
      <Text as="span" size="small" tone="text3">
        to the close at {formatDateTime(data.equity.at(-1)!.t)}
      </Text>
    </Row>
  )
}

const Entry = ({ color, label, pct }: { color: string; label: string; pct: number | null }) => (
  <Text as="span" size="small" style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
    <LineMark color={color} />
    <span style={{ color: colors.text2 }}>{label}</span>
    <span style={{ fontWeight: 500 }}>{formatChangePct(pct)}</span>
  </Text>
)
