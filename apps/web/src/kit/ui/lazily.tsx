import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'

/** Code in a file of its own: asked for once, at hand from then on. What failed is asked for again. */
export interface Code<T> {
  load(): Promise<T>
  /** Null until it has come. */
  now(): T | null
}

export function codeOf<T>(load: () => Promise<T>): Code<T> {
  let here: T | null = null
  let coming: Promise<T> | null = null
  const ask = async () => {
    try {
      here = await load()
      return here
    } finally {
      coming = null
    }
  }
  return {
    async load() {
      if (here !== null) return here
      coming ??= ask()
      return coming
    },
    now: () => here,
  }
}

/** The code once it has come, null before. Throws where it could not be loaded. */
export function useCode<T>(code: Code<T>): T | null {
  const [state, setState] = useState<{ of: Code<T>; here: T | null; failed: { error: unknown } | null } | null>(null)
  // Another code in the same place begins anew.
  const { here, failed } = state?.of === code ? state : { here: code.now(), failed: null }
  useEffect(() => {
    if (here !== null || failed !== null) return
    let isGone = false
    const show = (next: NonNullable<typeof state>) => {
      if (!isGone) startTransition(() => setState(next))
    }
    code.load().then(
      (loaded) => show({ of: code, here: loaded, failed: null }),
      (error) => show({ of: code, here: null, failed: { error } }),
    )
    return () => {
      isGone = true
    }
  }, [code, here, failed])
  if (failed !== null) throw failed.error
  return here
}

interface Shown<P> {
  code: Code<ComponentType<P>>
  waiting: ReactNode
  props: P
}

function Shown<P extends object>({ code, waiting, props }: Shown<P>) {
  const Loaded = useCode(code)
  return Loaded === null ? waiting : <Loaded {...props} />
}

/**
 * The component of a code, which comes when it is first drawn at the latest; `waiting` stands in its place until then.
 * React's own `lazy` shows what has come no sooner than 300 ms after the last boundary began to wait, once for each
 * within another.
 */
export const componentOf =
  <P extends object>(code: Code<ComponentType<P>>) =>
  ({ waiting = null, ...props }: P & { waiting?: ReactNode }) => (
    <Shown code={code} waiting={waiting} props={props as unknown as P} />
  )

export const lazily = <P extends object>(load: () => Promise<ComponentType<P>>) => componentOf(codeOf(load))
