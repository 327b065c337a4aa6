import { pairWords, returnPctOf, strategyWords } from '#entities/bots/bot-words.ts'
import { useBots } from '#entities/bots/use-bots.ts'
import { ChangeChip } from '#entities/markets/trading-chips.tsx'
import { paths } from '#routes/paths.ts'
import { LinkedList } from './linked-list.tsx'

const SHOWN = 3

/** Public bots of everybody, with their return. */
export function PublicBotsCard() {
  const reply = useBots()
  // What cannot be loaded counts as nothing.
  const list = reply.data ?? (reply.isFetched ? [] : undefined)
  return (
    <LinkedList
      title="Public Bots"
      allTo={paths.bots}
      rows={list
        ?.filter((bot) => bot.visibility === 'public')
        .slice(0, SHOWN)
        .map((bot) => ({
          id: bot.id,
          to: paths.bot(bot.id),
          title: bot.name,
          facts: `${strategyWords(bot)} · ${pairWords(bot.tradingPairs, 2)}`,
          chip: <ChangeChip pct={returnPctOf(bot)} />,
        }))}
      empty="No public bots available"
      emptyHint="A bot that you make public is seen here by everyone, read-only."
    />
  )
}
