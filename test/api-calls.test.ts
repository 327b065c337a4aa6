import type { Access, AnyEndpoint, Service } from '@shapecast/contracts/endpoint'
import { endpointsOf } from '@shapecast/contracts/table'
import { expect, it } from 'vitest'

const HEAD = `# Every call

Written from the table of endpoints by \`npx vitest run test/api-calls.test.ts -u\`, and held to it by the same test. What the calls mean together: [api.md](api.md). What they answer with: \`/bot/docs\` and \`/soc/docs\`.

\`?\` marks what may be left out, with what it is then. The last column says who may call: a twin under \`/public\` needs no token; fresh proof is what [security.md](security.md) says.
`

const BASES: readonly [Service, string, string][] = [
  ['social', '/soc', 'Accounts'],
  ['trading', '/bot', 'Trading'],
]
const WHO: Readonly<Record<Access, string>> = {
  public: 'anybody',
  user: 'signed in',
  manager: 'managers',
  admin: 'admins',
}

const PROOF: Readonly<Record<NonNullable<AnyEndpoint['proof']>, string>> = {
  always: ', with fresh proof',
  sometimes: ', some of it with fresh proof',
}

interface Field {
  readonly default?: unknown
  readonly const?: unknown
}

/** The names of a schema's fields, `?` where one may be left out, `= x` where it then is x. */
function fieldsOf(schema: AnyEndpoint['body']): string[] {
  if (schema === undefined) return []
  const { properties, required, anyOf, oneOf } = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Field>
    required?: string[]
    anyOf?: unknown[]
    oneOf?: unknown[]
  }
  if (properties === undefined && anyOf === undefined && oneOf === undefined) return []
  if (properties === undefined) throw new Error('a request of several forms: say how the table should show it')
  return Object.entries(properties).map(([name, field]) => {
    const optional = required?.includes(name) ? '' : '?'
    return `${name}${optional}${field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`}`
  })
}

function sent({ query, body, bodyKind, fileParts, takesKey }: AnyEndpoint): string {
  const parts = [
    ['query', fieldsOf(query)],
    ['body', fieldsOf(body)],
    ['files', bodyKind === 'multipart' ? (fileParts ?? ['file']) : []],
    ['header', takesKey ? ['Idempotency-Key?'] : []],
  ] as const
  const told = parts.filter(([, names]) => names.length > 0)
  return told.map(([where, names]) => `${where}: ${names.map((name) => `\`${name}\``).join(', ')}`).join('<br>')
}

function row(base: string, endpoint: AnyEndpoint): string {
  const path = (text: string) => `\`${base}${text.replace(/:(\w+)/g, '{$1}')}\``
  const { method, publicPath, summary, access, proof } = endpoint
  const twin = publicPath === undefined ? '' : `, ${path(publicPath)}`
  return `| ${method} | ${path(endpoint.path)} | ${sent(endpoint)} | ${summary.replaceAll('|', '\\|')} | ${WHO[access]}${proof ? PROOF[proof] : ''}${twin} |`
}

const byPath = ([, a]: [string, AnyEndpoint], [, b]: [string, AnyEndpoint]): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1

const section = ([service, base, title]: (typeof BASES)[number]): string =>
  [
    `## ${title}`,
    '',
    '| | call | what is sent | what it does | who |',
    '|---|---|---|---|---|',
    ...endpointsOf(service)
      .sort(byPath)
      .map(([, endpoint]) => row(base, endpoint)),
    '',
  ].join('\n')

it('docs/api-calls.md names every endpoint of the table, with what is sent as the table has it', async () => {
  await expect(`${HEAD}\n${BASES.map(section).join('\n')}`).toMatchFileSnapshot('../docs/api-calls.md')
})
