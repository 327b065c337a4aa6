import { bots } from '@shapecast/contracts/bots'
import { firstModel } from '@shapecast/contracts/first-model'
import { markets, seriesList } from '@shapecast/contracts/market'
import { modelDetail, models } from '@shapecast/contracts/ml'
import type { QueryFunction, QueryKey } from '@tanstack/react-query'
import { endpointQuery } from '#wire/calls/use-endpoint.ts'
import { queryClient } from './browser-session.ts'

/** Asks at once for what a page begins with, and waits for none of it: the page has skeletons. */
function ask(...reads: readonly { queryKey: QueryKey; queryFn: QueryFunction }[]): void {
  for (const read of reads) void queryClient.prefetchQuery(read)
}

export const askForDataCenter = () =>
  ask(endpointQuery(models, {}), endpointQuery(bots, {}), endpointQuery(firstModel, {}), endpointQuery(markets, {}))

export const askForBacktest = () =>
  ask(endpointQuery(models, {}), endpointQuery(bots, {}), endpointQuery(seriesList, {}), endpointQuery(markets, {}))

export const askForModel = (version: string) =>
  ask(endpointQuery(modelDetail, { params: { id: version } }), endpointQuery(models, {}))
