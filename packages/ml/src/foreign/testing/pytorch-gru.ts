import { readFileSync } from 'node:fs'

/** A GRU over 16 windows of four inputs that PyTorch exported, kept beside this file. */
export const gruFile = (): Uint8Array => new Uint8Array(readFileSync(new URL('./pytorch-gru.onnx', import.meta.url)))

/** The card that its author would write; tests give it other inputs where they are about them. */
export const GRU_CARD = {
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'A GRU from PyTorch',
  timeframe: '1h',
  lookback: 16,
  inputs: [
    { name: 'return_1' },
    { name: 'range', mean: 1.5, sd: 1 },
    { name: 'log_sigma', mean: -5, sd: 0.5 },
    { name: 'volume_z' },
  ],
  clip: 5,
}
