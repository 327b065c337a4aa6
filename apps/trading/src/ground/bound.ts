type Bound<Context, Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (context: Context, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never
}

/** Functions that take the same value first, with that value given: what a factory makes of plain functions. */
export function bound<Context, Functions extends Record<string, (context: Context, ...given: never) => unknown>>(
  context: Context,
  functions: Functions,
): Bound<Context, Functions> {
  const entries = Object.entries(functions).map(([name, fn]) => [name, (...given: never) => fn(context, ...given)])
  return Object.fromEntries(entries) as Bound<Context, Functions>
}
