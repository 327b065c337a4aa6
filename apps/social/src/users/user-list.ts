import type { QueryOf } from '@shapecast/contracts/endpoint'
import type { ManagedUser, users } from '@shapecast/contracts/users'
import type { Orm } from '@shapecast/platform/database/database'
import { sessions } from '@shapecast/platform/tables'
import { type SQL, sql } from 'drizzle-orm'

const select = (where: SQL, page: SQL, nowMs: number): SQL => sql`
  select u.id, u.username, u.email, u.role,
    case when u.disabled_at is not null then 'disabled' when u.deletes_at_ms is null then 'active' else 'leaving' end as state,
    exists (select 1 from social.second_factors f
      where f.user_id = u.id and f.on_since_ms is not null) as "hasSecondFactor",
    (select count(*)::int from ${sessions} s
      where s.user_id = u.id and s.ended_at is null and s.expires_at > to_timestamp(${nowMs} / 1000.0)) as sessions,
    u.created_at_ms::float8 as "createdAt",
    (select trunc(1000 * extract(epoch from max(s.last_seen_at)))::float8 from ${sessions} s
      where s.user_id = u.id) as "lastSeenAt",
    u.deletes_at_ms::float8 as "deletesAt"
  from social.users u where ${where} order by lower(u.username) ${page}`

/** What LIKE would take for a pattern is taken as it is. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A page of the accounts that a search fits, by name, with the numbers of the whole installation. */
export async function listUsers(
  orm: Orm,
  { search = '', role, page, limit }: QueryOf<typeof users>,
  nowMs: number,
): Promise<{ users: ManagedUser[]; total: number; active: number; disabled: number; invited: number }> {
  const pattern = `%${literally(search)}%`
  const where = sql`(u.username ilike ${pattern} or u.email ilike ${pattern})
    and (${role ?? null}::text is null or u.role = ${role ?? null})`
  const found = await orm.execute<ManagedUser>(select(where, sql`limit ${limit} offset ${(page - 1) * limit}`, nowMs))
  const counted = await orm.execute<{ total: number; active: number; disabled: number; invited: number }>(sql`
    select count(*) filter (where ${where})::int as total,
      count(*) filter (where disabled_at is null)::int as active,
      count(*) filter (where disabled_at is not null)::int as disabled,
      (select count(*)::int from social.invitations where expires_at_ms > ${nowMs}) as invited
    from social.users u`)
  return { users: found.rows, ...counted.rows[0]! }
}

export async function findManagedUser(orm: Orm, id: string, nowMs: number): Promise<ManagedUser | undefined> {
  return (await orm.execute<ManagedUser>(select(sql`u.id = ${id}`, sql``, nowMs))).rows[0]
}
