import { join } from 'node:path'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'

/** This service's tables, without the service around them. */
export const TRADING_MIGRATIONS: MigrationFolder = {
  owner: 'trading',
  path: join(import.meta.dirname, '../../../../migrations'),
}
