import type { LeakCheck } from '@shapecast/contracts/leak-audit'
import { describe, expect, it } from 'vitest'
import {
  auditVerdict,
  checkState,
  isUnderWay,
  triedWords,
  underWayWords,
  whyNoImportance,
} from './examination-words.ts'

const check = (given: Partial<LeakCheck>): LeakCheck => ({
  name: 'Target shuffled',
  passed: true,
  detail: '',
  ...given,
})
const audit = (...checks: LeakCheck[]) => ({
  mode: 'full' as const,
  passed: checks.every(({ passed }) => passed),
  checks,
  caveat: null,
  candles: { count: 2000, from: 0, to: 1 },
})

describe('an audit in words', () => {
  it('counts the checks that passed, or those that spoke', () => {
    expect(auditVerdict({ verdict: 'passed', audit: audit(check({}), check({})) })).toMatch(/^All 2 checks passed/)
    const spoke = audit(check({}), check({ passed: false }), check({ passed: false, inconclusive: true }))
    expect(auditVerdict({ verdict: 'failed', audit: spoke })).toMatch(/^1 of 3 checks found/)
  })

  it('takes what could not be found out for neither', () => {
    const blind = check({ passed: false, inconclusive: true })
    expect(checkState(blind)).toBe('inconclusive')
    expect(auditVerdict({ verdict: 'unknown', audit: audit(blind) })).toMatch(/could not have noticed one/)
  })

  it('has none before the first', () => expect(auditVerdict({ verdict: 'unknown', audit: null })).toBeNull())

  it('says what was tried, and nothing of a check that it does not know', () => {
    expect(triedWords({ name: 'Target shuffled' })).toMatch(/other candles' outcomes/)
    expect(triedWords({ name: 'Something newer' })).toBeNull()
  })

  it('is under way while it waits and runs', () => {
    expect(isUnderWay({ status: 'queued' })).toBe(true)
    expect(isUnderWay({ status: 'running' })).toBe(true)
    expect(isUnderWay({ status: 'failed' })).toBe(false)
    expect(isUnderWay(null)).toBe(false)
  })

  it('says what is being done, and when the audit is there already', () => {
    const at = { requestedAt: 10, examinedAt: 5 }
    expect(underWayWords({ ...at, status: 'queued' })).toBe('Waiting for a worker')
    expect(underWayWords({ ...at, status: 'running' })).toMatch(/^Running/)
    expect(underWayWords({ ...at, examinedAt: null, status: 'running' })).toMatch(/^Running/)
    expect(underWayWords({ ...at, examinedAt: 12, status: 'running' })).toMatch(/^Audited/)
  })

  it('says why there is nothing to show of what a model looks at', () => {
    expect(whyNoImportance(undefined, false)).toBe('Loading…')
    expect(whyNoImportance(undefined, true)).toMatch(/could not be loaded/)
    expect(whyNoImportance(null, false)).toMatch(/after the leak audit/)
    expect(whyNoImportance({ status: 'running' }, false)).toMatch(/after the leak audit/)
    expect(whyNoImportance({ status: 'completed' }, false)).toMatch(/could not be found out/)
  })
})
