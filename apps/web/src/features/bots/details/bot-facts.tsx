import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { MoneyChip, ReadOnlyChip, VisibilityChip } from '#entities/bots/bot-chips.tsx'
import { futuresFacts, MARKET_TYPE_LABEL, policyWords, sizePhrase, strategyWords } from '#entities/bots/bot-words.ts'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatDate } from '#kit/format/time.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { Text } from '#kit/ui/text.tsx'

/** Who sees it, whose money it trades with, and what it trades, as chips. */
export const BotFacts = ({ bot, isMine }: { bot: Bot; isMine: boolean }) => (
  <>
    <VisibilityChip visibility={bot.visibility} />
    <MoneyChip isVirtual={bot.isVirtual} />
    {!isMine && <ReadOnlyChip />}
    {bot.tradingPairs.map((pair) => (
      <Chip key={pair} label={pair} />
    ))}
    {[bot.parameters?.timeframe ?? '1h', ...marketFacts(bot)].map((fact) => (
      <Chip key={fact} label={fact} tone="outline" />
    ))}
  </>
)

/** `Futures 2×`, then its target and stop; `Spot`. */
function marketFacts(bot: Bot): string[] {
  const [leverage, ...rest] = futuresFacts(bot)
  return [[MARKET_TYPE_LABEL[bot.marketType], leverage].filter(Boolean).join(' '), ...rest]
}

/** `ML · v3 · Model signal · size 0.02 BTC · started with 1,000.00 USDT on 29 Dec 2023 · Follows v3.` */
export const BotWords = ({ bot, marketOf }: { bot: Bot; marketOf: (symbol: string) => Market | undefined }) => (
  <Text size="small" tone="text2" breaks>
    {[
      ...new Set([...strategyWords(bot).split(' · '), policyWords(bot)]),
      sizePhrase(bot, marketOf),
      `started with ${formatMoneyUnit(bot.initialBalance, 'USDT')} on ${formatDate(bot.createdAt)}`,
      bot.description,
    ]
      .filter(Boolean)
      .join(' · ')}
  </Text>
)
