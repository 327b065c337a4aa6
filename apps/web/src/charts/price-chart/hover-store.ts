import { useSyncExternalStore } from 'react'
import type { PriceHover } from './create-price-chart.ts'

/**
 * What is under the crosshair. Kept beside React's state, so that moving the pointer renders the few figures that show
 * it and not the chart.
 */
export interface HoverStore {
  get(): PriceHover | null
  set(hover: PriceHover | null): void
  subscribe(listener: () => void): () => void
}

export function createHoverStore(): HoverStore {
  let hover: PriceHover | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => hover,
    set(next) {
      hover = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useHover = (store: HoverStore): PriceHover | null => useSyncExternalStore(store.subscribe, store.get)
