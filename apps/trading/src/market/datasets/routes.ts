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
  registerEndpoint(app, saveDataset, ({ body, caller }) => service.save(body, caller))
  registerEndpoint(app, datasets, ({ caller }) => service.list(caller.userId))
  registerEndpoint(app, activeDataset, ({ caller }) => service.active(caller.userId))
  registerEndpoint(app, chooseDataset, ({ body, caller }) => service.choose(body.id, caller))
  registerEndpoint(app, leaveDataset, ({ caller }) => service.leave(caller))
  registerEndpoint(app, deleteDataset, ({ params, caller }) => service.remove(params.id, caller))
}
