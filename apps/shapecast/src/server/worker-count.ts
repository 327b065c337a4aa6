import { availableParallelism } from 'node:os'
import type { Config } from '@shapecast/platform/config'
import { SettingsError } from '@shapecast/platform/settings'

/** More on its own account would take their memory, and their connections to the database, for little. */
const MOST_BY_ITSELF = 8

/** How many workers to start: as many as there are cores, so that as many trainings run side by side. Throws SettingsError. */
export function workerCount(
  { role, workers }: Pick<Config, 'role' | 'workers'>,
  cores = availableParallelism(),
): number {
  if (role === 'api') return 0
  if (workers === 0 && role === 'worker')
    throw new SettingsError('WORKERS is 0, but ROLE is worker: there would be nothing to do. Set WORKERS to 1 or more.')
  return workers ?? Math.min(MOST_BY_ITSELF, cores)
}
