import { z } from 'zod'

// zod compiles its parsers with `new Function`, which the content security policy forbids. It looks at this while a
// schema is made, so it has to be said before any contract is loaded.
z.config({ jitless: true })
