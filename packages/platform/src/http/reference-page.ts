import type { Service } from '@shapecast/contracts/endpoint'
import { type JsonObject, openApiOf } from '@shapecast/contracts/openapi'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../version.ts'
import { inlineHashes } from './inline-hashes.ts'

/**
 * `/openapi.json` and the reference page at `/docs`, both from the endpoint table; nothing comes from outside. Written when
 * one of them is first asked for: few starts need them, and each would wait for them.
 */
export function serveApiReference(fastify: FastifyInstance, service: Service): void {
  let written: ReturnType<typeof write> | undefined
  const write = () => {
    const document = openApiOf(service, VERSION, fastify.prefix === '' ? '/' : fastify.prefix)
    const page = referencePage(document, service, fastify.prefix)
    const policy = `default-src 'self'; style-src ${inlineHashes(page, 'style').join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return { text: JSON.stringify(document), page, policy }
  }
  fastify.get('/openapi.json', (_request, reply) => {
    written ??= write()
    return reply.type('application/json; charset=utf-8').send(written.text)
  })
  fastify.get('/docs', (_request, reply) => {
    written ??= write()
    const { page, policy } = written
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page)
  })
}

const INDENT = '  '

/** A JSON Schema as a reader of code writes a type: `{ symbol: string, limit?: integer 1…10000 }`. */
function schemaText(schema: unknown, depth = 0): string {
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

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: unknown }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { description: string }>>
}

interface Call extends Operation {
  readonly method: string
  readonly path: string
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** Text with its `code` set as such. */
const marked = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A path that may be broken behind a slash, and nowhere else first. */
const breakable = (path: string) => escaped(path).replaceAll('/', '/<wbr>')

const callsOf = (document: JsonObject): Call[] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

const contentText = (content: Content['content']) =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => (type === 'application/json' ? '' : `${type}\n`) + schemaText(schema))
    .join('\n')

function callHtml(call: Call, prefix: string): string {
  const { 200: success, ...failures } = call.responses
  const parameters = call.parameters.map(
    ({ name, in: where, required, schema }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${where}${required ? '' : ', optional'}</td>` +
      `<td><code>${escaped(schemaText(schema))}</code></td></tr>`,
  )
  const errors = Object.entries(failures).map(
    ([status, { description }]) => `<li><code>${status}</code> ${escaped(description)}</li>`,
  )
  return `<details id="${call.operationId}">
<summary><span class="method">${call.method}</span> <code>${breakable(prefix + call.path)}</code>
<span class="about">${marked(call.summary)}</span></summary>
<p>${marked(call.description)}</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4><table><tbody>${parameters.join('')}</tbody></table>`}
${call.requestBody === undefined ? '' : `<h4>Body</h4><pre tabindex="0">${escaped(contentText(call.requestBody.content))}</pre>`}
<h4>Reply</h4><pre tabindex="0">${escaped(contentText(success?.content) || 'nothing')}</pre>
<h4>Errors</h4><ul>${errors.join('')}</ul>
</details>`
}

/**
 * The reference of a service as one page of HTML without a script of its own, in the product's colours. `prefix` is
 * where the service stands behind the gateway; on a port of its own it is empty, and there is no product to link to.
 */
export function referencePage(document: JsonObject, service: Service, prefix: string): string {
  const groups = Map.groupBy(callsOf(document), ({ tags }) => tags[0]!)
  const { title, version } = document.info as { title: string; version: string }
  const [other, otherName] = service === 'trading' ? ['/soc', 'social'] : ['/bot', 'trading']
  const isBehindGateway = prefix !== ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every call of the ${service} service">
${isBehindGateway ? '<script src="/scheme.js"></script>\n<link rel="icon" href="/favicon.svg" type="image/svg+xml">' : ''}
<title>API, ${service} · Shapecast</title>
<style>${STYLE}</style>
</head>
<body>
<header>
${isBehindGateway ? '<a class="home" href="/dashboard">Shapecast</a>' : '<span class="home">Shapecast</span>'}
<nav aria-label="Reference">
${isBehindGateway ? `<a href="${other}/docs">API of the ${otherName} service</a>` : ''}
<a href="${prefix}/openapi.json">openapi.json</a>
</nav>
</header>
<main>
<h1>${escaped(title)} API</h1>
<p class="lead">Version ${escaped(version)}. Calls that need a user take the header <code>Authorization: Bearer</code> with a token
of <code>/soc/api/auth/login</code>. Errors are <code>{ error, code }</code>: the text is for people, the code for programs.</p>
<nav aria-label="Groups" class="groups">${[...groups.keys()].map((name) => `<a href="#group-${name}">${name}</a>`).join(' ')}</nav>
${[...groups]
  .map(
    ([name, calls]) => `<section aria-labelledby="group-${name}">
<h2 id="group-${name}">${name}</h2>
${calls.map((call) => callHtml(call, prefix)).join('\n')}
</section>`,
  )
  .join('\n')}
</main>
</body>
</html>
`
}

/** The tokens of the web client's two themes, as far as this page needs them. */
const STYLE = `
:root { color-scheme: dark; --bg: #0b0e14; --surface: #11151d; --well: #0e1219; --line: #1f2734; --text: #e7ebf3; --text2: #a3aec0; --accent: #6fb7ff; --ring: #9bcfff; }
:root[data-theme="light"] { color-scheme: light; --bg: #f3f5f8; --surface: #fff; --well: #f7f9fb; --line: #dde3eb; --text: #141b26; --text2: #465268; --accent: #1666c5; --ring: #0e4f9e; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/20px "Inter Variable", system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; min-height: 56px; padding: 8px 24px; border-bottom: 1px solid var(--line); }
header nav { display: flex; flex-wrap: wrap; gap: 8px 16px; margin-left: auto; }
.home { color: var(--text); font-weight: 600; text-decoration: none; }
main { max-width: 1040px; margin: 0 auto; padding: 24px; }
h1 { margin: 0; font-size: 20px; line-height: 28px; }
h2 { margin: 32px 0 12px; font-size: 16px; scroll-margin-top: 16px; }
h4 { margin: 16px 0 4px; font-size: 12px; line-height: 16px; font-weight: 500; color: var(--text2); }
.lead { max-width: 720px; color: var(--text2); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
header a, .groups a { display: inline-flex; align-items: center; min-height: 44px; }
.groups { display: flex; flex-wrap: wrap; gap: 0 16px; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; border-radius: 4px; }
details { border: 1px solid var(--line); border-radius: 10px; margin: 8px 0; padding: 0 16px; background: var(--surface); }
details[open] { padding-bottom: 16px; }
summary { display: grid; grid-template-columns: 56px minmax(0, 1fr); gap: 4px 12px; align-items: baseline; padding: 12px 0; cursor: pointer; }
summary code { overflow-wrap: anywhere; }
.method { font-size: 12px; font-weight: 600; color: var(--accent); }
.about { grid-column: 2; color: var(--text2); }
pre { margin: 0; padding: 12px; overflow-x: auto; background: var(--well); border: 1px solid var(--line); border-radius: 8px; }
pre, code { font: 13px/18px ui-monospace, Menlo, Consolas, monospace; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 6px 12px 6px 0; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; color: var(--text2); }
@media (max-width: 600px) { header, main { padding-left: 16px; padding-right: 16px; } }
`
