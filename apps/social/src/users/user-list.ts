import type { Role } from '@shapecast/contracts/auth'
import type { QueryOf } from '@shapecast/contracts/endpoint'
import type { ManagedUser, UserState, users } from '@shapecast/contracts/users'
import type { Orm } from '@shapecast/platform/database/database'
import { type SQL, sql } from 'drizzle-orm'

interface Row extends Record<string, unknown> {
  id: string
  username: string
  email: string
  role: Role
  disabled: boolean
  deletes_at_ms: string | null
  created_at_ms: string
  sessions: number
  last_seen: Date | null
  has_second_factor: boolean
}

const stateOf = ({ disabled, deletes_at_ms }: Row): UserState =>
  disabled ? 'disabled' : deletes_at_ms === null ? 'active' : 'leaving'

const shown = (row: Row): ManagedUser => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  state: stateOf(row),
  hasSecondFactor: row.has_second_factor,
  sessions: row.sessions,
  createdAt: Number(row.created_at_ms),
  lastSeenAt: row.last_seen === null ? null : new Date(row.last_seen).getTime(),
  deletesAt: row.deletes_at_ms === null ? null : Number(row.deletes_at_ms),
})

const select = (where: SQL, page: SQL, nowMs: number): SQL => sql`
  select u.id, u.username, u.email, u.role, u.disabled_at is not null as disabled, u.deletes_at_ms, u.created_at_ms,
    (select count(*)::int from platform.sessions s
      where s.user_id = u.id and s.ended_at is null and s.expires_at > to_timestamp(${nowMs} / 1000.0)) as sessions,
    (select max(s.last_seen_at) from platform.sessions s where s.user_id = u.id) as last_seen,
    exists (select 1 from social.second_factors f
      where f.user_id = u.id and f.on_since_ms is not null) as has_second_factor
  from social.users u where ${where} order by lower(u.username) ${page}`

/** What LIKE would take for a pattern is taken as it is. */
const literally = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export type UserFilter = QueryOf<typeof users>

/** A page of the accounts that a search fits, by name, with the numbers of the whole installation. */
export async function listUsers(orm: Orm, { search = '', role, page, limit }: UserFilter, nowMs: number) {
  const where = sql`(u.username ilike ${literally(search)} or u.email ilike ${literally(search)})
    and (${role ?? null}::text is null or u.role = ${role ?? null})`
  const { rows } = await orm.execute<Row>(select(where, sql`limit ${limit} offset ${(page - 1) * limit}`, nowMs))
  const { rows: counted } = await orm.execute<{ total: number; active: number; disabled: number; invited: number }>(sql`
    select count(*) filter (where ${where})::int as total,
      count(*) filter (where disabled_at is null)::int as active,
      count(*) filter (where disabled_at is not null)::int as disabled,
      (select count(*)::int from social.invitations where expires_at_ms > ${nowMs}) as invited
    from social.users u`)
  return { users: rows.map(shown), ...counted[0]! }
}

export async function findManagedUser(orm: Orm, id: string, nowMs: number): Promise<ManagedUser | undefined> {
  const { rows } = await orm.execute<Row>(select(sql`u.id = ${id}`, sql``, nowMs))
  return rows[0] && shown(rows[0])
}
