// zod compiles its parsers with `new Function`, which the content security policy forbids. It looks at this while a schema
// is made, so it is said in the file that is loaded first, before zod itself is there.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
