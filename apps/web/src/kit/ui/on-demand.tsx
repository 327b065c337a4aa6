import { type ComponentType, lazy, Suspense } from 'react'

/** A part whose code is loaded when it is first drawn; until then nothing stands in its place. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}
