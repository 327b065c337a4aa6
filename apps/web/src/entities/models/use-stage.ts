import { setModelStage } from '@shapecast/contracts/ml'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

/** Moves a version to another stage. */
export const useStage = () => useEndpointMutation(setModelStage)
