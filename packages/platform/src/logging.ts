import { destination, type Logger, pino } from 'pino'
import type { LOG_LEVELS } from './settings.ts'

export type { Logger }

/** A JSON logger on standard error, so that standard output carries answers only. Secrets are left out. */
export const createLogger = (level: (typeof LOG_LEVELS)[number], name = 'shapecast'): Logger =>
  pino(
    {
      name,
      level,
      redact: {
        paths: [
          ...['authorization', 'cookie'].flatMap((h) => [`req.headers.${h}`, `headers.${h}`]),
          ...['password', 'newPassword', 'currentPassword', 'accessToken', 'token', 'secret', 'apiKey', 'secretKey'],
          ...['*.password', '*.newPassword', '*.currentPassword', '*.accessToken', '*.token', '*.secret', '*.apiKey'],
          ...['*.secretKey', 'databaseUrl', '*.databaseUrl'],
        ],
        censor: '[hidden]',
      },
    },
    destination({ dest: 2, sync: true }),
  )

/** Says nothing: for tests, and for callers that print for themselves. */
export const silentLogger = (): Logger => pino({ level: 'silent' })
