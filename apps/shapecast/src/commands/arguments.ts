import { AppError } from '@shapecast/contracts/errors'
import { SymbolId, VenueName } from '@shapecast/contracts/market'
import { ModelVersion } from '@shapecast/contracts/ml'
import { readSearchedValues } from '@shapecast/contracts/search'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'

/** A command's argument read by the contract's own schema, so that both say the same. */
const reader =
  <S extends z.ZodType>(schema: S) =>
  (text: string): z.output<S> => {
    const parsed = schema.safeParse(text)
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message)
    return parsed.data
  }

/** A request as the contract has it. Throws `bad_input` with the first thing that does not fit. */
export function requestOf<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const read = schema.safeParse(given)
  if (!read.success) throw new AppError('bad_input', `${read.error.issues[0]!.message}.`)
  return read.data
}

export const symbolOf = reader(SymbolId)
export const venueOf = reader(VenueName)
export const versionOf = reader(ModelVersion)
export const idOf = reader(z.uuid('It has to be an id.'))
export const botIdOf = reader(z.uuid('A bot is named by its id, as GET /bot/api/bots tells it.'))

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('It has to be a whole number.')
  return value
}

/** Names with commas between them. */
export const namesOf = (text: string): string[] => text.split(',').map((name) => name.trim())

export function decimal(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It has to be a number.')
  return value
}

/** `Date.parse` takes 31 February for 2 March. */
function isInCalendar(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (day === undefined) return true
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
}

/** An open time in ms, from a date (2024-01-31, 2024-01-31T12:00:00Z; UTC) or from ms. */
export function timeOf(text: string): number {
  const ms = /^\d{11,}$/.test(text)
    ? Number(text)
    : Date.parse(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text)
  if (!Number.isFinite(ms) || ms < 0 || !isInCalendar(text))
    throw new InvalidArgumentError('It has to be a date, such as 2024-01-31 (UTC).')
  return ms
}

/** What is varied, and its values. */
export interface NamedValues {
  readonly name: string
  readonly values: readonly number[]
}

/** `fast=4 to 40 by 4` or `fast=4,8,12`, one option after the other. */
export function valuesOf(text: string, before: readonly NamedValues[] = []): NamedValues[] {
  const [, name, words] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('Write it like fast=4 to 40 by 4.')
  const values = readSearchedValues(words!)
  if (typeof values === 'string') throw new InvalidArgumentError(`${name}: ${values}.`)
  return [...before, { name: name.trim(), values }]
}
