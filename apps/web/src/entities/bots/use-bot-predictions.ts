import { type BotPrediction, botLastPredictions, pollBotPrediction } from '@shapecast/contracts/predictions'
import { useMemo } from 'react'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const MOST_IDS = 200

/** The newest prediction by bot id; empty where they cannot be had. At most 200 bots are asked for, none is no call. */
export function useBotPredictions(botIds: readonly string[]): Readonly<Record<string, BotPrediction>> {
  const ids = useMemo(() => botIds.slice(0, MOST_IDS).join(','), [botIds])
  const { data } = useEndpointQuery(
    botLastPredictions,
    { query: { ids } },
    { enabled: ids !== '', refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  return data ?? {}
}

/** Asks a bot's models now. A failure is ignored; the old answer stays. */
export const usePollPrediction = () => useEndpointMutation(pollBotPrediction)
