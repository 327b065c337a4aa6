import { cancelTraining, mlHealth, models, train, trainingJob, trainingJobs } from '@shapecast/contracts/ml'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ModelDesk } from './model-desk.ts'
import type { TrainingDesk } from './training-desk.ts'

/** The list of models, their health, and training. */
export function mlRoutes(app: ServiceApp, modelDesk: ModelDesk, trainings: TrainingDesk): void {
  registerEndpoint(app, models, () => modelDesk.list())
  registerEndpoint(app, mlHealth, () => modelDesk.health())
  registerEndpoint(app, train, async ({ body, caller, request }) => ({
    jobId: await trainings.request(body, caller, request.ip),
  }))
  registerEndpoint(app, trainingJobs, ({ caller }) => trainings.list(caller))
  registerEndpoint(app, trainingJob, ({ params, caller }) => trainings.read(params.id, caller))
  registerEndpoint(app, cancelTraining, ({ params, caller, request }) =>
    trainings.cancel(params.id, caller, request.ip),
  )
}
