import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'

const stampOf = (features: readonly string[]): Buffer => createHash('sha256').update(features.join('\n')).digest()

/**
 * A network's state marked with the features that it learns from, as two choices of the same number make networks of the
 * same shape. Left as it is where `features` is undefined: all of them.
 */
export function stampState(state: Uint8Array, features: readonly string[] | undefined): Uint8Array {
  if (features === undefined) return state
  const stamp = stampOf(features)
  const stamped = new Uint8Array(stamp.length + state.length)
  stamped.set(stamp)
  stamped.set(state, stamp.length)
  return stamped
}

/** The state that was marked. Throws `conflict` where it is of other features. */
export function unstampState(stamped: Uint8Array, features: readonly string[] | undefined): Uint8Array {
  if (features === undefined) return stamped
  const stamp = stampOf(features)
  if (!stamp.equals(stamped.subarray(0, stamp.length)))
    throw new AppError('conflict', 'This training state is of other features. Train from the start.')
  return stamped.slice(stamp.length)
}
