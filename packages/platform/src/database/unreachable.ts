import { AppError, type ErrorCode } from '@shapecast/contracts/errors'
import { TurnLost } from './locks.ts'
import { TooLate } from './time-limit.ts'

/** PostgreSQL's classes for a lost connection, one that lay idle, and a server on its way down or up, and the system's own. */
const UNREACHABLE =
  /^(08...|25P03|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** A connection that ended under its question, or before it, or did not answer in time, carries no code. */
const ENDED =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/
/** Deadlock, serialization failure, statement and lock timeout, out of memory: others are in the way. */
const BUSY = /^(40001|40P01|57014|55P03|53200)$/
const READ_ONLY = '25006'
const FULL = /^(53100|ENOSPC|EDQUOT)$/

/** What keeps the database from doing what was asked: gone, in use by others, without room, or closed to changes. */
export type Outage = Extract<ErrorCode, 'unavailable' | 'database_busy' | 'database_read_only' | 'disk_full'>

/**
 * Why the database could not do it, where that is the reason of an error or of what caused it; else null. What an
 * expected failure was caused by is its own affair: an exchange that refuses connections is not our database.
 */
export function outageOf(error: unknown): Outage | null {
  for (let e = error, depth = 0; e instanceof Error && !(e instanceof AppError) && depth < 5; e = e.cause, depth++) {
    const { code: given } = e as { code?: unknown }
    const code = typeof given === 'string' ? given : ''
    if (code === READ_ONLY) return 'database_read_only'
    if (FULL.test(code)) return 'disk_full'
    if (BUSY.test(code)) return 'database_busy'
    if (e instanceof TooLate || e instanceof TurnLost || UNREACHABLE.test(code) || ENDED.test(e.message))
      return 'unavailable'
  }
  return null
}

/** Whether the database could not be reached: the same may work in a moment. */
export const isUnreachable = (error: unknown): boolean => outageOf(error) === 'unavailable'

const REASONS: Readonly<Record<Outage, string>> = {
  unavailable: 'The database does not answer.',
  database_busy: 'The database is busy with other work on the same.',
  database_read_only: 'The database takes no changes just now: it is set to read only.',
  disk_full: 'The disk of the database is full.',
}

/** Why the database is out, in a sentence. */
export const outageReason = (outage: Outage): string => REASONS[outage]
