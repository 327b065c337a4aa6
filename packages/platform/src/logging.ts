import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import type { LOG_LEVELS } from './settings.ts'

export type { Logger }

/** A failed query names its values, also in its text: password hashes, addresses, keys. Its cause says what went wrong. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const said = stdSerializers.errWithCause(error) as {
    message: string
    stack: string
    params?: unknown
    cause?: unknown
  }
  let { message, stack, cause } = said
  if (said.params !== undefined) {
    message = message.replace(/\nparams: [\s\S]*$/, '')
    stack = stack.replace(error.message, message)
    delete said.params
  }
  if (error.cause instanceof Error) cause = withoutValues(error.cause)
  return { ...said, message, stack, cause }
}

/** A JSON logger on standard error, so that standard output carries answers only. Secrets are left out. */
export const createLogger = (
  level: (typeof LOG_LEVELS)[number],
  name = 'shapecast',
  to: DestinationStream = destination({ dest: 2, sync: true }),
): Logger =>
  pino(
    {
      name,
      level,
      serializers: { err: withoutValues },
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
    to,
  )

/** Logs nothing.
 * @internal for tests */
export const silentLogger = (): Logger => pino({ level: 'silent' })
