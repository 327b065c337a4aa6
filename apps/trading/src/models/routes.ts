import {
  artifactCard,
  botsOnModel,
  mlHealth,
  modelDetail,
  models,
  promoteArtifact,
  setModelStage,
} from '@shapecast/contracts/ml'
import { compareModels } from '@shapecast/contracts/model-comparison'
import { repeatTraining, train, trainingJob, trainingJobs } from '@shapecast/contracts/trainings'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ModelService } from './model-service.ts'
import type { TrainingService } from './training-service.ts'

/** Models: their list, pages, stages and comparisons; and training. */
export function mlRoutes(app: ServiceApp, service: ModelService, trainings: TrainingService): void {
  registerEndpoint(app, models, () => service.list())
  registerEndpoint(app, mlHealth, () => service.health())
  registerEndpoint(app, modelDetail, ({ params, query }) => service.detail(params.id, query))
  registerEndpoint(app, setModelStage, ({ params, body, caller }) =>
    service.setStage(params.id, body.stage, caller, body.bots),
  )
  registerEndpoint(app, botsOnModel, ({ params, caller }) => service.botsOn(params.id, caller))
  registerEndpoint(app, promoteArtifact, ({ params, caller }) => service.promote(params.id, caller))
  registerEndpoint(app, artifactCard, ({ params }) => service.card(params.id))
  registerEndpoint(app, compareModels, ({ body }) => service.compare(body))
  registerEndpoint(app, train, async ({ body, caller }) => ({ jobId: await trainings.request(body, caller) }))
  registerEndpoint(app, trainingJobs, ({ caller }) => trainings.list(caller))
  registerEndpoint(app, trainingJob, ({ params, caller }) => trainings.read(params.id, caller))
  registerEndpoint(app, repeatTraining, async ({ params, caller }) => ({
    jobId: await trainings.repeat(params.id, caller),
  }))
}
