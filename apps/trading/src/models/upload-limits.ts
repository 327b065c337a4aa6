import type { SandboxLimits } from '@shapecast/ml/foreign/sandbox'

/** What an uploaded network may take, whenever it runs; times are of the processor. */
export const UPLOAD_LIMITS: Readonly<SandboxLimits> = { openMs: 15_000, runMs: 5_000, memoryBytes: 1024 ** 3 }
/** Processor time for its forecasts of the hold-out and of the 500 candles before it, when it is tried out. */
export const UPLOAD_TRIAL_MS = 10_000
