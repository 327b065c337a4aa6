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
import type { DatasetDesk } from './dataset-desk.ts'

/** Datasets: look, take along, keep, choose. */
export function datasetRoutes(app: ServiceApp, desk: DatasetDesk): void {
  registerEndpoint(app, previewDataset, ({ query }) => desk.preview(query))
  registerEndpoint(app, exportDataset, ({ query }) => desk.export(query))
  registerEndpoint(app, saveDataset, ({ body, caller, request }) => desk.save(body, caller.userId, request.ip))
  registerEndpoint(app, datasets, ({ caller }) => desk.list(caller.userId))
  registerEndpoint(app, activeDataset, ({ caller }) => desk.active(caller.userId))
  registerEndpoint(app, chooseDataset, ({ body, caller, request }) => desk.choose(body.id, caller.userId, request.ip))
  registerEndpoint(app, leaveDataset, async ({ caller, request }) => {
    await desk.leave(caller.userId, request.ip)
    return { ok: true as const }
  })
  registerEndpoint(app, deleteDataset, async ({ params, caller, request }) => {
    await desk.remove(params.id, caller.userId, request.ip)
    return { ok: true as const }
  })
}
