/** As much of a JSON schema as is needed to look for fields. */
export interface JsonSchema {
  readonly type?: unknown
  readonly properties?: Record<string, JsonSchema>
  readonly required?: string[]
  readonly items?: unknown
  readonly additionalProperties?: unknown
  readonly anyOf?: JsonSchema[]
  readonly default?: unknown
  readonly enum?: unknown[]
}

/** The object that a schema is made of: of a list its entries, of a map its values, of what may be null the rest. */
function objectIn(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined || schema.properties !== undefined) return schema
  if (schema.anyOf !== undefined) return objectIn(schema.anyOf.find(({ type }) => type !== 'null'))
  const inner = schema.items ?? schema.additionalProperties
  return typeof inner === 'object' ? objectIn(inner as JsonSchema) : undefined
}

/** The fields of a schema, and which of them may not be left out. */
export function fieldsOf(schema: JsonSchema): { fields: Record<string, JsonSchema>; required: string[] } {
  const object = objectIn(schema)
  return { fields: object?.properties ?? {}, required: object?.required ?? [] }
}

/** The schema at a path such as `user.role`, through lists and maps; undefined where it is missing. */
export const schemaAt = (schema: JsonSchema, path: string): JsonSchema | undefined =>
  path.split('.').reduce<JsonSchema | undefined>((one, name) => objectIn(one)?.properties?.[name], schema)

/** Whether a reply always has the field at a path: `there`, `may be left out`, or `missing`. */
export function fieldAt(schema: JsonSchema, path: string): 'there' | 'may be left out' | 'missing' {
  const names = path.split('.')
  let at: JsonSchema | undefined = schema
  for (const name of names) {
    const object: JsonSchema | undefined = objectIn(at)
    if (object?.properties?.[name] === undefined) return 'missing'
    if (!object.required?.includes(name)) return 'may be left out'
    at = object.properties[name]
  }
  return 'there'
}
