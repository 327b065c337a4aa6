import { type SQL, sql } from 'drizzle-orm'
import { AT_ONCE, STEPS } from '../ground/prune-rows.ts'
import { artifacts } from '../models/tables.ts'
import { predictions } from './tables.ts'

/** Deletes the forecasts of charts before the newest `kept` of each artifact: they are made again when somebody asks. */
export const oldPredictions = (kept: number): SQL => sql`delete from ${predictions} where (artifact_id, ts) in (
  select p.artifact_id, p.ts from ${artifacts} a join ${STEPS} on t.timeframe = a.timeframe
  cross join lateral (select max(ts) as ts from ${predictions} n where n.artifact_id = a.id) newest
  join ${predictions} p on p.artifact_id = a.id and p.ts <= newest.ts - ${kept}::bigint * t.step_ms
  limit ${AT_ONCE})`
