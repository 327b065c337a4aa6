import type { JsonObject } from '@shapecast/contracts/openapi'

const INDENT = '  '

/** A JSON Schema as a reader of code writes a type: `{ symbol: string, limit?: integer 1…10000 }`. */
export function schemaText(schema: unknown, depth = 0): string {
  if (typeof schema !== 'object' || schema === null) return 'anything'
  const json = schema as JsonObject
  if (typeof json.$ref === 'string') return json.$ref.split('/').at(-1)!
  if (json.const !== undefined) return JSON.stringify(json.const)
  if (Array.isArray(json.enum)) return json.enum.map((value) => JSON.stringify(value)).join(' | ')
  for (const choices of [json.anyOf, json.oneOf])
    if (Array.isArray(choices)) return choices.map((one) => schemaText(one, depth)).join(' | ')
  if (Array.isArray(json.allOf)) return json.allOf.map((one) => schemaText(one, depth)).join(' & ')
  if (Array.isArray(json.prefixItems)) return `[${json.prefixItems.map((one) => schemaText(one, depth)).join(', ')}]`
  if (json.type === 'array') return `list of ${schemaText(json.items, depth)}`
  if (json.type === 'object') return objectText(json, depth)
  if (json.type === undefined) return 'anything'
  return [String(json.type), json.format ?? '', rangeText(json)].filter((part) => part !== '').join(' ')
}

function objectText(json: JsonObject, depth: number): string {
  const fields = Object.entries((json.properties ?? {}) as Record<string, unknown>)
  if (fields.length === 0)
    return typeof json.additionalProperties === 'object'
      ? `{ [name]: ${schemaText(json.additionalProperties, depth)} }`
      : '{}'
  const required = new Set(json.required as string[] | undefined)
  const inner = INDENT.repeat(depth + 1)
  const lines = fields.map(
    ([name, field]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${schemaText(field, depth + 1)}`,
  )
  return `{\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`
}

/** The bounds of a number or of a text's length; those of JavaScript's own numbers say nothing. */
function rangeText({ minimum, maximum, minLength, maxLength }: JsonObject): string {
  const told = (value: unknown) => (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? '' : (value ?? ''))
  const [from, to] = [told(minimum ?? minLength), told(maximum ?? maxLength)]
  return from === '' && to === '' ? '' : `${from}…${to}`
}
