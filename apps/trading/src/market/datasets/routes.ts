import {
  activeDataset,
  chooseDataset,
  datasets,
  deleteDataset,
  exportDataset,
  leaveDataset,
  previewDataset,
  saveDataset,
} from '@shapecast/contracts/datasets'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { DatasetService } from './dataset-service.ts'

/** Datasets: look, take along, keep, choose. */
export function datasetRoutes(app: ServiceApp, service: DatasetService): void {
  registerEndpoint(app, previewDataset, ({ query }) => service.preview(query))
  registerEndpoint(app, exportDataset, ({ query }) => service.export(query))
  registerEndpoint(app, saveDataset, ({ body, caller, request }) => service.save(body, caller.userId, request.ip))
  registerEndpoint(app, datasets, ({ caller }) => service.list(caller.userId))
  registerEndpoint(app, activeDataset, ({ caller }) => service.active(caller.userId))
  registerEndpoint(app, chooseDataset, ({ body, caller, request }) =>
    service.choose(body.id, caller.userId, request.ip),
  )
  registerEndpoint(app, leaveDataset, async ({ caller, request }) => {
    await service.leave(caller.userId, request.ip)
    return { ok: true as const }
  })
  registerEndpoint(app, deleteDataset, async ({ params, caller, request }) => {
    await service.remove(params.id, caller.userId, request.ip)
    return { ok: true as const }
  })
}
