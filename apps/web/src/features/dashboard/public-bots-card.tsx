import { bots } from '@shapecast/contracts/bots'
import { useRefreshMs } from '../../shared/api/refresh.ts'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { pairWords, returnPct, strategyWords } from '../../shared/bots/bot-words.ts'
import { ChangeChip } from '../../shared/ui/trading-chips.tsx'
import { LinkedList } from './linked-list.tsx'

const SHOWN = 3

/** Public bots of everybody, with their return. */
export function PublicBotsCard() {
  const reply = useEndpointQuery(bots, {}, { refetchInterval: useRefreshMs() })
  // What cannot be loaded counts as nothing.
  const list = reply.data ?? (reply.isError ? [] : undefined)
  return (
    <LinkedList
      title="Public Bots"
      allTo="/trading"
      rows={list
        ?.filter((bot) => bot.visibility === 'public')
        .slice(0, SHOWN)
        .map((bot) => ({
          id: bot.id,
          to: `/trading?bot=${bot.id}`,
          title: bot.name,
          facts: `${strategyWords(bot)} · ${pairWords(bot.tradingPairs, 2)}`,
          chip: <ChangeChip pct={returnPct(bot)} />,
        }))}
      empty="No public bots available"
      emptyHint="A bot that you make public is seen here by everyone, read-only."
    />
  )
}
