import type { Model } from '@shapecast/contracts/ml'
import { currentOf, type ModelStore } from './model-store.ts'

/** What the models say of themselves. */
export const createModelDesk = (store: ModelStore) => ({
  async list(): Promise<{ models: Model[]; current: string | null }> {
    const models = await store.list()
    return { models, current: currentOf(models) }
  },

  /** The version that is used where none is named; null where no production version is trained. */
  current: async (): Promise<string | null> => currentOf(await store.list()),

  /**
   * Healthy while a production version is trained. The accuracy is the current version's, with the interval of its
   * artifact, where it is one; an average of several has no interval of its own.
   */
  async health(): Promise<{ healthy: boolean; stats: { accuracy: number | null; interval: [number, number] | null } }> {
    const models = await store.list()
    const current = models.find((model) => model.version === currentOf(models))
    if (current === undefined) return { healthy: false, stats: { accuracy: null, interval: null } }
    const [only, ...more] = current.artifacts
    return {
      healthy: true,
      stats: {
        accuracy: current.stats.accuracy,
        interval: only === undefined || more.length > 0 ? null : only.accuracy.interval,
      },
    }
  },
})
export type ModelDesk = ReturnType<typeof createModelDesk>
