import { isManager } from '@shapecast/contracts/auth'
import {
  artifactOnnx,
  deleteUpload,
  LARGEST_ONNX_BYTES,
  LARGEST_ONNX_BYTES_OF_MANAGERS,
  uploadModel,
} from '@shapecast/contracts/uploads'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ModelStore } from '../model-store.ts'
import { onnxZip } from './onnx-download.ts'
import { receiveModel } from './receive-model.ts'
import type { UploadService } from './upload-service.ts'

/** Models that come from elsewhere, and ours to take along. */
export function uploadRoutes(app: ServiceApp, service: UploadService, models: ModelStore): void {
  registerEndpoint(app, uploadModel, ({ params, query, caller, request }) => {
    const largest = isManager(caller.role) ? LARGEST_ONNX_BYTES_OF_MANAGERS : LARGEST_ONNX_BYTES
    return service.upload({ version: params.id, symbol: query.symbol }, () => receiveModel(request, largest), caller)
  })
  registerEndpoint(app, deleteUpload, ({ params, caller }) => service.remove(params.id, caller))
  registerEndpoint(app, artifactOnnx, ({ params }) => onnxZip(models, params.id))
}
