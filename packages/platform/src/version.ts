import about from '../package.json' with { type: 'json' }

/** The product's version; every workspace carries the same one. */
export const VERSION: string = about.version
