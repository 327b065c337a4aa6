import { mlHealth, modelDetail, models, setModelStage } from '@shapecast/contracts/ml'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, readAgainAfter, useEndpointMutation } from '#wire/calls/use-endpoint.ts'

/** Moves a version to another stage, then loads the models again. */
export function useStage() {
  const queryClient = useQueryClient()
  return useEndpointMutation(setModelStage, {
    onSettled: readAgainAfter(() =>
      Promise.all(
        [models, modelDetail, mlHealth].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) }),
        ),
      ),
    ),
  })
}
