/** The names of an error's class and its parents, nearest first: ccxt is loaded by parts, `instanceof` needs them all. */
export function classNames(error: unknown): string[] {
  const names: string[] = []
  let at = typeof error === 'object' && error !== null ? Object.getPrototypeOf(error) : null
  while (at !== null && at !== Error.prototype && at !== Object.prototype) {
    names.push((at.constructor as { name: string }).name)
    at = Object.getPrototypeOf(at)
  }
  return names
}
