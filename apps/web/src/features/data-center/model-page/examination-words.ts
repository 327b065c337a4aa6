import type { Examination } from '@shapecast/contracts/examinations'
import type { LeakCheck } from '@shapecast/contracts/leak-audit'

/** What a check does, by its name; a check that this client does not know stands with its numbers alone. */
const TRIED: Readonly<Record<string, string>> = {
  'Ranges kept apart': 'No outcome that it learnt from may reach into what it was validated or judged on.',
  'Inputs with the future cut off': 'What it is given up to a candle, with the candles after it and without.',
  'Inputs with the future changed': 'The same with other prices, ranges and volumes after it.',
  'Forecasts with the future cut off': 'What it says up to a candle, with the candles after it and without.',
  'Forecasts with the future changed': 'The same with other prices, ranges and volumes after it.',
  'Labels shifted, directions drawn by lot':
    'Trained small on a market whose directions were drawn by lot: it must find what is already known, and nothing else.',
  'Target shuffled': "Trained small on other candles' outcomes: nothing of what comes may be found.",
}

export const triedWords = ({ name }: Pick<LeakCheck, 'name'>): string | null => TRIED[name] ?? null

export type CheckState = 'passed' | 'failed' | 'inconclusive'

export const checkState = ({ passed, inconclusive }: Pick<LeakCheck, 'passed' | 'inconclusive'>): CheckState =>
  passed ? 'passed' : inconclusive === true ? 'inconclusive' : 'failed'

/** The result in a sentence: `All 7 checks passed: …`. */
export function auditVerdict({ verdict, audit }: Pick<Examination, 'verdict' | 'audit'>): string | null {
  if (audit === null) return null
  const { checks } = audit
  const spoke = checks.filter((check) => checkState(check) === 'failed').length
  if (verdict === 'failed') return `${spoke} of ${checks.length} checks found that this model knows the future.`
  if (verdict === 'unknown') return 'No leak was found, but a check could not have noticed one.'
  return `All ${checks.length} checks passed: nothing that was tried shows that this model knows the future.`
}

export const isUnderWay = (examination: Pick<Examination, 'status'> | null | undefined): boolean =>
  examination?.status === 'queued' || examination?.status === 'running'

/** What is being done; the audit ends some seconds before the rest. */
export function underWayWords({
  status,
  requestedAt,
  examinedAt,
}: Pick<Examination, 'status' | 'requestedAt' | 'examinedAt'>): string {
  if (status === 'queued') return 'Waiting for a worker'
  return examinedAt === null || examinedAt < requestedAt
    ? 'Running: the future is cut off and changed; models trained here are also trained anew, small'
    : 'Audited. Now it is found out what it looks at'
}

/** Why there is nothing to show of what a model looks at. */
export function whyNoImportance(found: Pick<Examination, 'status'> | null | undefined, isError: boolean): string {
  if (found === undefined) return isError ? 'It could not be loaded. Try again under Leak audit.' : 'Loading…'
  if (found === null || isUnderWay(found)) return 'It is found out after the leak audit, in half a minute or so.'
  return 'It could not be found out. Run the audit below to try again.'
}
