import type { AccuracyReport } from '@shapecast/contracts/evaluation'

export interface DirectionVerdict {
  readonly isBetter: boolean
  /** After 'Direction:', in a trader's words. */
  readonly words: string
  /** Short, for a chip. */
  readonly chip: string
}

/** How a model's direction did against the better of the two naive rules, on candles that it had not seen. */
export function directionVerdict({ verdict }: Pick<AccuracyReport, 'verdict'>): DirectionVerdict {
  const rule = verdict.includes('reversal') ? 'betting on a reversal' : 'always betting one way'
  if (verdict.startsWith('better'))
    return { isBetter: true, words: `better than ${rule}`, chip: 'better than its baseline' }
  if (verdict.startsWith('worse'))
    return { isBetter: false, words: `worse than ${rule}`, chip: 'worse than its baseline' }
  return { isBetter: false, words: `no better than ${rule}`, chip: 'not better than its baseline' }
}
