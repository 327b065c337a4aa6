import {
  notifyManager,
  type QueryKey,
  QueryObserver,
  type UseQueryOptions,
  type UseQueryResult,
  useQueryClient,
} from '@tanstack/react-query'
import { startTransition, useEffect, useReducer, useState, useSyncExternalStore } from 'react'

const neverTold = () => () => undefined

/**
 * TanStack's `useQuery` (docs/decisions/0027), but what comes is drawn in a transition: in slices, between what is more
 * urgent. `useQuery` draws each answer in one piece, which holds up a phone for 100 to 200 ms at a time.
 */
export function useSlicedQuery<Fetched, Failure = Error, Selected = Fetched, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Fetched, Failure, Selected, Key>,
): UseQueryResult<Selected, Failure> {
  const client = useQueryClient()
  const defaulted = client.defaultQueryOptions(options)
  defaulted._optimisticResults = 'optimistic'
  const [observer] = useState(() => new QueryObserver(client, defaulted))
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const result = observer.getOptimisticResult(defaulted)
  useEffect(() => observer.setOptions(defaulted), [observer, defaulted])
  // React has to know that what is drawn has changed, or it drops the effects of a component without a change of its own.
  useSyncExternalStore(neverTold, () => observer.getCurrentResult())
  useEffect(() => {
    const unsubscribe = observer.subscribe(notifyManager.batchCalls(() => startTransition(redraw)))
    // What has come since it was drawn.
    observer.updateResult()
    return unsubscribe
  }, [observer])
  return observer.trackResult(result) as UseQueryResult<Selected, Failure>
}
