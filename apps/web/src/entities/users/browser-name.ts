/** In this order: many browsers also carry the names of those below them. */
const BROWSERS = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** 'Firefox on Linux' of a user agent; the program's own name, such as 'curl', where it is no browser. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown program'
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === undefined) return userAgent.split(/[\s/]/)[0] ?? userAgent
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}

export const isPhone = (userAgent: string | null): boolean => /Mobile|Android|iPhone/.test(userAgent ?? '')
