import { join } from 'node:path'

/** The folder of the checkout. */
export const PROJECT = join(import.meta.dirname, '../../../..')

/** Where Vite puts the web client. */
export const WEB_CLIENT = join(PROJECT, 'apps/web/dist')
