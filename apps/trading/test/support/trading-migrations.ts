import { join } from 'node:path'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'

export const TRADING_MIGRATIONS: MigrationFolder = {
  owner: 'trading',
  path: join(import.meta.dirname, '../../migrations'),
}
