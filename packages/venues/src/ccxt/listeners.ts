import type { OnState, StreamState, Unsubscribe } from '../live-venue.ts'

/** Those who listen to one subscription, and whether each has been told that it is connected. */
export class Listeners<T extends unknown[]> {
  readonly #all = new Set<{ tell: (...news: T) => void; onState: OnState | undefined; state: StreamState }>()

  get size(): number {
    return this.#all.size
  }

  /** A listener that joins a subscription under way hears `connected` with its first message. */
  add(tell: (...news: T) => void, onState: OnState | undefined, emptied: () => void): Unsubscribe {
    const listener = { tell, onState, state: 'disconnected' as StreamState }
    this.#all.add(listener)
    return () => {
      if (this.#all.delete(listener) && this.#all.size === 0) emptied()
    }
  }

  /** Tells a state of the connection to those who do not know it yet. */
  state(state: StreamState): void {
    for (const listener of this.#all)
      if (listener.state !== state) {
        listener.state = state
        listener.onState?.(state)
      }
  }

  /** Tells news to all. */
  tell(...news: T): void {
    for (const listener of this.#all) listener.tell(...news)
  }
}
