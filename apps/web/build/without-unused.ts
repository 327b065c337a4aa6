import type { Plugin } from 'vite'

/** Every zod schema can turn itself into JSON Schema. No page asks for that. */
const JSON_SCHEMA = /node_modules\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
/** The ink that spreads from a press: the theme turns it off on every control. */
const RIPPLE = /node_modules\/@mui\/material\/ButtonBase\/TouchRipple\.mjs$/

/** Leaves out of the build what libraries bring along and nothing here ever calls. */
export const withoutUnused = (): Plugin => ({
  name: 'without-unused',
  apply: 'build',
  transform: {
    filter: { id: [JSON_SCHEMA, RIPPLE] },
    handler: (code) =>
      [...code.matchAll(/^export (const|function|default) (\w+)/gm)]
        .map(([, how, name]) =>
          how === 'default' ? 'export default () => null' : `export const ${name} = () => undefined`,
        )
        .join('\n'),
  },
})
