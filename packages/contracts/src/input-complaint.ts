import type { z } from 'zod'

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const LONGEST_NAME = 60
/** What the sender has named, not repeated at any length. */
const named = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)

const SIZE_UNITS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function limit(origin: string, relation: string, bound: number | bigint): string {
  const units = SIZE_UNITS[origin]
  return units === undefined
    ? `must be ${relation} ${bound}`
    : `must have ${relation} ${bound} ${units[Number(bound) === 1 ? 0 : 1]}`
}

const relationOf = (toLarge: boolean, inclusive: boolean | undefined, exact: boolean | undefined): string => {
  if (exact === true) return 'exactly'
  if (inclusive === false) return toLarge ? 'less than' : 'more than'
  return toLarge ? 'at most' : 'at least'
}

/** What an object takes that says so of itself. */
function knownKeys(schema: unknown): string {
  const shape = (schema as Partial<z.core.$ZodObject> | undefined)?._zod?.def.shape
  return shape === undefined ? '' : `. It takes ${Object.keys(shape).join(', ')}`
}

function predicate(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return limit(issue.origin, relationOf(false, issue.inclusive, issue.exact), issue.minimum)
    case 'too_big':
      return limit(issue.origin, relationOf(true, issue.inclusive, issue.exact), issue.maximum)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_value': {
      if (issue.input === undefined) return 'is missing'
      const [only, ...more] = issue.values.map(String)
      return more.length === 0 ? `must be ${only}` : `must be one of ${[only, ...more].join(', ')}`
    }
    case 'invalid_format':
      return issue.format === 'uuid'
        ? 'must be an id, such as 01890000-0000-7000-8000-00000000000a'
        : 'does not have the form that is expected'
    case 'unrecognized_keys':
      return `takes nothing called ${named(issue.keys[0] ?? '')}${knownKeys(issue.inst)}`
    default:
      return 'is none of what is expected here'
  }
}

/** What is wrong with an input, in words that name the field and what is expected of it. For schemas that say nothing. */
export function inputComplaint(issue: z.core.$ZodRawIssue): string {
  const field = named((issue.path ?? []).map(String).join('.'))
  return `${field === '' ? 'The request' : field} ${predicate(issue)}`
}

/** The same below a field, which is named already: `Must be at least 10`. */
export function inputDemand(issue: z.core.$ZodRawIssue): string {
  const words = predicate(issue)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
