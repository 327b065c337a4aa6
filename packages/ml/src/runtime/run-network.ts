/** A network ready to predict. `close` frees its memory. */
export interface OpenNetwork {
  close(): Promise<void>
}

export interface NetworkOutput {
  /** Row-major [rows × horizons × quantiles]. */
  quantiles: Float32Array
  /** [rows]. */
  upLogit: Float32Array
}

/** The rows whose windows are predicted; `to` is not among them. */
export type RowSelection = Int32Array | { from: number; to: number }

export async function openNetwork(_onnx: Uint8Array): Promise<OpenNetwork> {
  throw new Error('The runtime is being built.')
}

/** Predictions for the windows that end at `rows`; batches internally. */
export async function runNetwork(
  _network: OpenNetwork,
  _features: Float32Array,
  _featureCount: number,
  _lookback: number,
  _rows: RowSelection,
): Promise<NetworkOutput> {
  throw new Error('The runtime is being built.')
}
