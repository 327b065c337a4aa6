import { z } from 'zod'

/** What a model was made by. The same candles and settings give the same model under the same versions. */
export const EngineVersions = z.object({
  /** Of our own code that trains: features, parts, blend, calibration. */
  ml: z.string(),
  /** Of ONNX Runtime, which computes the networks. */
  onnxRuntime: z.string(),
})
export type EngineVersions = z.infer<typeof EngineVersions>
