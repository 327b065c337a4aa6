import { AppError } from '@shapecast/contracts/errors'

/** PostgreSQL's classes for a lost connection, one that lay idle, and a server on its way down or up, and the system's own. */
const UNREACHABLE =
  /^(08...|25P03|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** A connection that ended under its question, or before it, or was not to be had in time, carries no code. */
const ENDED =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/

/**
 * Whether an error, or what caused it, is that the database could not be reached: the same may work in a moment. What an
 * expected failure was caused by is its own affair: an exchange that refuses connections is not our database.
 */
export function isUnreachable(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && !(e instanceof AppError) && depth < 5; e = e.cause, depth++) {
    const { code } = e as { code?: unknown }
    if ((typeof code === 'string' && UNREACHABLE.test(code)) || ENDED.test(e.message)) return true
  }
  return false
}
