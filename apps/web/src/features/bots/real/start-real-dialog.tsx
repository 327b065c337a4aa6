import { startBot } from '@shapecast/contracts/bot-changes'
import type { Bot } from '@shapecast/contracts/bots'
import { keptKeys, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { exchangeName, exchangeOf, exchangesInWords } from '@shapecast/contracts/exchanges'
import { POLICIES } from '@shapecast/contracts/policies'
import { realBotLimitsOf, realBotsLimits } from '@shapecast/contracts/real-bots'
import { useMutation } from '@tanstack/react-query'
import { ArrowLeftRight, CirclePause, Clock, Power, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { RISK_LABEL, strategyWords } from '#entities/bots/bot-words.ts'
import { formatMoney, formatMoneyUnit } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatLimitPct } from '#kit/format/percent.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Column, Link as TextLink } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { call } from '#wire/calls/client.ts'
import { failureText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { type Consequence, SmallHead, useRealMoneyConsent, WhatHappens } from './real-money-words.tsx'

const WIDTH_PX = 600
const QUOTE = 'USDT'

/** Says what a bot will do with real money and within which limits; asks for the words and who it is, then starts it. */
export function StartRealDialog({ bot, onClose }: { bot: Bot; onClose: () => void }) {
  const consent = useRealMoneyConsent(true)
  const keys = useEndpointQuery(keptKeys, {})
  const key = keys.data?.find(({ readable }) => readable)
  const start = useMutation({
    mutationFn: async () => call(startBot, { params: { id: bot.id }, body: await consent.give() }),
    onSuccess: onClose,
    meta: { changes: [startBot] },
  })
  const takesOrders = (exchangeOf(bot.venue)?.[bot.marketType] ?? null) !== null
  const hasNoKey = keys.data !== undefined && key === undefined
  const disabledReason = !takesOrders ? 'Nowhere to trade' : hasNoKey ? 'No API key is kept' : consent.disabledReason
  return (
    <ConfirmDialog
      title={`Start ${bot.name} with real money?`}
      subtitle={[
        exchangeName(bot.venue),
        bot.tradingPairs.join(', '),
        bot.parameters?.timeframe ?? '1h',
        `${strategyWords(bot)}, ${RISK_LABEL[bot.riskLevel].toLowerCase()} risk`,
      ].join(' · ')}
      widthPx={WIDTH_PX}
      confirmLabel={start.isPending ? 'Starting…' : 'Start with real money'}
      note={disabledReason ?? ''}
      disabledReason={disabledReason}
      onConfirm={() => start.mutate()}
      onClose={onClose}
      busy={start.isPending}
      error={failureText(
        start.error,
        'The server did not answer: the bot may have started. Look before you try again.',
      )}
      subject={
        <Column gap={2}>
          <WhatHappens title="What will happen" points={consequencesOf(bot)} />
          <Limits bot={bot} />
          {!takesOrders ? (
            <Banner kind="error" title={`${exchangeName(bot.venue)} takes no real orders on ${bot.marketType}`}>
              Real orders on {bot.marketType} go to {exchangesInWords(bot.marketType)}. Create the bot again where
              MARKET names one of them.
            </Banner>
          ) : hasNoKey ? (
            <Banner kind="error" title={`No API key of ${exchangeName(bot.venue)} is kept`}>
              Add one under{' '}
              <TextLink as={Link} to={paths.exchangeKeys}>
                Settings, Exchange keys
              </TextLink>
              .
            </Banner>
          ) : (
            <Banner kind="warning" title="Not shown to beat buy and hold">
              {POLICIES[bot.parameters?.policy ?? 'signal'].sentence}
              {key !== undefined &&
                ` It trades with your key that ends with ${key.lastFour}, on the ${key.network === 'testnet' ? 'testnet: without real money' : 'mainnet'}.`}
            </Banner>
          )}
          {consent.field}
        </Column>
      }
    />
  )
}

function consequencesOf(bot: Bot): readonly Consequence[] {
  const isSignal = (bot.parameters?.policy ?? 'signal') === 'signal'
  const timeframe = bot.parameters?.timeframe ?? '1h'
  const left = bot.initialBalance * (1 - bot.maxDrawdown / 100)
  const closes = bot.marketType === 'futures' ? 'closes its position' : 'sells'
  return [
    {
      icon: Clock,
      text: isSignal ? (
        <>
          First decision <b>at the next {timeframe} close</b>, then at each one.
        </>
      ) : (
        <>
          First decision <b>at the next {timeframe} close</b>, then once a day, at 00:00 UTC.
        </>
      ),
    },
    {
      icon: ArrowLeftRight,
      text: (
        <>
          It buys and sells at the market with your key, with up to <b>{formatMoneyUnit(bot.initialBalance, QUOTE)}</b>{' '}
          that you lend it. The exchange takes its fees.
        </>
      ),
    },
    ...(bot.marketType === 'futures' ? [marginOf(bot)] : []),
    {
      icon: CirclePause,
      text: (
        <>
          If that falls by <b>{`${formatLimitPct(bot.maxDrawdown)}, to ${formatMoneyUnit(left, QUOTE)}`}</b>, it{' '}
          {closes} at the next price and pauses. A gap can make it more.
        </>
      ),
    },
    {
      icon: Power,
      text: (
        <>
          It goes on until you stop it. <b>Losses are real and final</b>; stopping asks whether it {closes} or keeps
          what it holds.
        </>
      ),
    },
  ]
}

/** What leverage does, before anybody lends it money. */
const marginOf = (bot: Bot): Consequence => ({
  icon: TriangleAlert,
  text: (
    <>
      It goes long and short with <b>isolated margin and {bot.leverage}× leverage</b>, which it sets for its pairs.
      Where the price moves about <b>{formatLimitPct(100 / bot.leverage)}</b> against a position, or less, the exchange
      closes it and <b>its whole margin is lost</b>. Funding is paid or received every few hours. Nobody else may trade
      its pairs on futures with this account.
    </>
  ),
})

/** Its own limits, its owner's, and those of all real bots together. */
function Limits({ bot }: { bot: Bot }) {
  const all = useEndpointQuery(realBotsLimits, {}).data
  const own = useEndpointQuery(tradingLimits, {}).data
  const limits = realBotLimitsOf(bot.parameters)
  const money = (amount: number) => formatMoneyUnit(amount, QUOTE)
  const share = (used: number, most: number) => `${formatMoney(used)} of ${money(most)}`
  const isFutures = bot.marketType === 'futures'
  const [entry, leveraged] = isFutures ? ['entry', ', leverage included'] : ['purchase', '']
  const facts: (Fact | false)[] = [
    { label: 'Money it may use', value: money(bot.initialBalance) },
    { label: `Largest ${entry}${leveraged}`, value: money(limits.maxOrderNotional) },
    { label: `Holds at most${leveraged}`, value: money(limits.maxPositionNotional) },
    { label: `${isFutures ? 'Entries' : 'Purchases'} a day`, value: formatCount(limits.maxDayOrders) },
    { label: 'Loss a day, then it pauses', value: money(limits.maxDayLoss) },
    own !== undefined && { label: 'Your orders of 24 hours', value: share(own.usedNotional, own.maxDayNotional) },
    all !== undefined && { label: 'All real bots together', value: share(all.usedBotsNotional, all.maxBotsNotional) },
  ]
  return (
    <section aria-label="Limits">
      <SmallHead>Limits</SmallHead>
      <Facts well facts={facts} />
    </section>
  )
}
