import { type Bot, bots } from '@shapecast/contracts/bots'
import { models } from '@shapecast/contracts/ml'
import { type BotPrediction, botLastPredictions, pollBotPrediction } from '@shapecast/contracts/predictions'
import { RefreshCw } from 'lucide-react'
import { memo, useState } from 'react'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { asksModels, versionsOf } from '#entities/bots/bot-words.ts'
import { BotStatusChip, SignalChip } from '#entities/markets/trading-chips.tsx'
import { ModelChips } from '#entities/models/model-chips.tsx'
import { inModelOrder } from '#entities/models/model-order.ts'
import { isPoor, shortVerdict } from '#entities/models/signal-words.ts'
import { formatPnl, formatPnlUnit } from '#kit/format/money.ts'
import { directionOf, formatCount, UNKNOWN } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatExactTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button, busyButton, RetryButton, ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine, ListSkeleton } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { REFRESH_MS, useEndpointMutation, useEndpointQuery, useLastError } from '#wire/calls/use-endpoint.ts'
import css from './bots-card.module.css'

/** Whose newest predictions are asked for. */
const MOST_IDS = 200
const FIRST_SHOWN = 12

/** A policy that asks no model has no signal. */
const hasSignal = (bot: Bot): boolean => bot.strategy === 'openai' || asksModels(bot)

/** Bots by model version, with what each one's models said last. */
export const BotsCard = memo(function BotsCard() {
  const botReply = useEndpointQuery(bots, {}, { refetchInterval: REFRESH_MS })
  const modelReply = useEndpointQuery(models, {}, { refetchInterval: REFRESH_MS })
  const modelList = inModelOrder(modelReply.data?.models ?? [])
  const botList = botReply.data
  const isMissing = useLastError(botReply) !== null && botList === undefined
  const order = modelList.map(({ version }) => version)
  const groups = groupBots(botList ?? [], order, modelReply.data?.current ?? null)
  const [areAllShown, setAreAllShown] = useState(false)
  const shown = areAllShown ? groups : firstBots(groups, FIRST_SHOWN)
  const ids = (botList ?? []).slice(0, MOST_IDS).map(({ id }) => id)
  const predictions = useEndpointQuery(
    botLastPredictions,
    { query: { ids: ids.join(',') } },
    { enabled: ids.length > 0, refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  ).data
  return (
    <Card title="Bots" flush facts="by model version">
      {shown.map(({ key, versions, bots: members }, i) => {
        const model = versions.length === 1 ? modelList.find((one) => one.version === versions[0]) : undefined
        return (
          <div key={key} style={i === 0 ? undefined : { borderTop: `1px solid ${colors.divider}` }}>
            <Row gap={1} lineGap={0.5} wrap className={css.head}>
              <Text as="h3" weight={500}>
                {key === '' ? '—' : key}
              </Text>
              {versions.length === 0 && (
                <Text as="span" size="small" tone="text3">
                  no model
                </Text>
              )}
              {versions.length > 1 && <Chip label="ensemble" tone="outline" />}
              {model !== undefined && (
                <ModelChips model={model} isCurrent={model.version === modelReply.data?.current} />
              )}
            </Row>
            <ul aria-label={key === '' ? 'Bots without a model' : `Bots of ${key}`} className={layout.list}>
              {members.map((bot) => (
                <BotRow key={bot.id} bot={bot} prediction={hasSignal(bot) ? predictions?.[bot.id] : undefined} />
              ))}
            </ul>
          </div>
        )
      })}
      {groups.length > 0 && !areAllShown && botList !== undefined && botList.length > FIRST_SHOWN && (
        <ShowAll onClick={() => setAreAllShown(true)}>{`Show all ${formatCount(botList.length)} bots`}</ShowAll>
      )}
      {(botList?.length === 0 || isMissing) && (
        <EmptyLine>
          <span>No bots found</span>
          {isMissing && (
            <Row as="span" gap={1.5} lineGap={1} wrap above={0.5}>
              <span style={{ color: colors.text3 }}>The list could not be loaded.</span>
              <RetryButton reply={botReply} />
            </Row>
          )}
        </EmptyLine>
      )}
      {botReply.isLoading && !isMissing && <ListSkeleton label="Loading the bots" rowHeightPx={28} rows={4} />}
    </Card>
  )
})

const BotRow = memo(function BotRow({ bot, prediction }: { bot: Bot; prediction: BotPrediction | undefined }) {
  // A failure is ignored; the old answer stays.
  const poll = useEndpointMutation(pollBotPrediction)
  const verdict = prediction?.verdict ?? null
  const direction = directionOf(bot.totalPnL)
  return (
    <li className={css.row}>
      <Text as="span" title={bot.name} weight={500} noWrap style={{ gridArea: 'name' }}>
        {bot.name}
        {!bot.isVirtual && (
          <span style={{ marginLeft: 8, verticalAlign: 'middle' }}>
            <MoneyChip isVirtual={false} />
          </span>
        )}
      </Text>
      <div style={{ gridArea: 'status' }}>
        <BotStatusChip status={bot.status} />
      </div>
      <div
        title={prediction === undefined ? undefined : `${prediction.symbol} at ${formatExactTime(prediction.madeAt)}`}
        className={css.signal}
      >
        {isPoor(verdict) && (
          <Note as="span" title={shortVerdict(verdict)} tone="text2" style={{ width: '100%', whiteSpace: 'nowrap' }}>
            not worth trading
          </Note>
        )}
        {prediction !== undefined && <SignalChip signal={prediction.signal} isQuiet={isPoor(verdict)} />}
        <Text as="span" title={hasSignal(bot) ? 'Confidence' : 'It asks no model'} size="small" tone="text2">
          {prediction === undefined || prediction.confidence === 0 ? UNKNOWN : formatShareRatio(prediction.confidence)}
        </Text>
      </div>
      <div style={{ gridArea: 'pnl', textAlign: 'right' }}>
        <Chip
          label={formatPnl(bot.totalPnL)}
          tone={direction === 'flat' ? 'filled' : direction}
          title={`PnL ${formatPnlUnit(bot.totalPnL, 'USDT')}`}
        />
      </div>
      <div style={{ gridArea: 'refresh', textAlign: 'right', marginRight: -8 }}>
        <Button
          variant="text"
          size="small"
          startIcon={<RefreshCw size={14} />}
          aria-label={`refresh ${bot.name}`}
          {...busyButton(poll.isPending, () => poll.mutate({ params: { id: bot.id } }))}
        >
          refresh
        </Button>
      </div>
    </li>
  )
})

type ModelsOf = Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions' | 'parameters'>

export interface BotGroup<B> {
  readonly key: string
  /** None: no model. One: a version. Several: an ensemble. */
  readonly versions: readonly string[]
  readonly bots: readonly B[]
}

/**
 * Bots by their model version: single versions in the order of `modelOrder` (unknown ones after them), then ensembles,
 * then bots without a model. One that follows the current model stands under it. Names in order within a group.
 */
export function groupBots<B extends ModelsOf & { name: string }>(
  bots: readonly B[],
  modelOrder: readonly string[],
  current: string | null,
): BotGroup<B>[] {
  const versionsIn = (bot: B) => {
    const named = versionsOf(bot)
    return named.length === 0 && asksModels(bot) && current !== null ? [current] : named
  }
  const rank = ({ versions }: BotGroup<B>): number => {
    if (versions.length !== 1) return modelOrder.length + (versions.length === 0 ? 2 : 1)
    const place = modelOrder.indexOf(versions[0]!)
    return place === -1 ? modelOrder.length : place
  }
  const byName = bots.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return [...Map.groupBy(byName, (bot) => versionsIn(bot).join(' + '))]
    .map(([key, members]) => ({ key, versions: versionsIn(members[0]!), bots: members }))
    .sort((a, b) => rank(a) - rank(b) || a.key.localeCompare(b.key, 'en'))
}

/** The first `most` bots with the heads of their groups. */
export function firstBots<B>(groups: readonly BotGroup<B>[], most: number): BotGroup<B>[] {
  let left = most
  return groups.flatMap((group) => {
    const bots = group.bots.slice(0, left)
    left -= bots.length
    return bots.length === 0 ? [] : [{ ...group, bots }]
  })
}
