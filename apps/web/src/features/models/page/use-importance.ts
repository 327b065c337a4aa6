import { importance, requestImportance } from '@shapecast/contracts/importance'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { isUnderWay } from './importance-words.ts'

const POLL_MS = 2_000

/** What an artifact looks at, followed while it is measured, and asking for that. */
export function useImportance(artifactId: string) {
  const input = { params: { id: artifactId } }
  const reply = useEndpointQuery(importance, input, {
    staleTime: 0,
    refetchInterval: ({ state }) => isUnderWay(state.data) && POLL_MS,
  })
  const request = useEndpointMutation(requestImportance)
  return { reply, request: { ...request, run: () => request.mutate(input) } }
}
