import type { Database } from '../database/database.ts'

/** Everything that the tables of our schemas are, one line each, in order: of two databases alike the same lines. */
export async function describeSchema(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ line: string }>(`
    with ours as (select oid, nspname from pg_namespace where nspname in ('platform', 'social', 'trading'))
    select format('column %s.%s.%s %s%s %s %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end, pg_get_expr(d.adbin, d.adrelid), a.attidentity) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid join ours n on n.oid = c.relnamespace
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join ours n on n.oid = k.connamespace where contype <> 'n'
    union all select pg_get_indexdef(i.indexrelid)
      from pg_index i join pg_class c on c.oid = i.indexrelid join ours n on n.oid = c.relnamespace
    union all select pg_get_triggerdef(t.oid)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join ours n on n.oid = c.relnamespace where not t.tgisinternal
    union all select pg_get_functiondef(p.oid) from pg_proc p join ours n on n.oid = p.pronamespace
    order by line`)
  return rows.map(({ line }) => line)
}
