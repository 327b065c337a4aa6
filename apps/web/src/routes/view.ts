import { ModelVersion } from '@shapecast/contracts/ml'

/** What the Data Center shows; it stands in the address, so that a model page can be shared. */
export type View =
  | { readonly kind: 'home' }
  | { readonly kind: 'model'; readonly version: string; readonly artifactId: string | null }
  | { readonly kind: 'compare'; readonly versions: readonly string[] }
  | { readonly kind: 'record'; readonly version: string | null }

export const MOST_COMPARED = 5
const PATH = '/ml-analysis'

const versionOf = (text: string | null): string | null => ModelVersion.safeParse(text).data ?? null

/** Reads `?model=v3&artifact=…`, `?compare=v3,v4` or `?record=v3`; anything else is the Data Center itself. */
export function viewOf(search: URLSearchParams): View {
  const version = versionOf(search.get('model'))
  if (version !== null) return { kind: 'model', version, artifactId: search.get('artifact') }
  const compared = search.get('compare')
  if (compared !== null) {
    const versions = compared.split(',').flatMap((name) => versionOf(name) ?? [])
    return { kind: 'compare', versions: [...new Set(versions)].slice(0, MOST_COMPARED) }
  }
  const record = search.get('record')
  return record === null ? { kind: 'home' } : { kind: 'record', version: versionOf(record) }
}

/** The address of a view. */
export function linkTo(view: View): string {
  switch (view.kind) {
    case 'home':
      return PATH
    case 'model': {
      const artifact = view.artifactId === null ? '' : `&artifact=${encodeURIComponent(view.artifactId)}`
      return `${PATH}?model=${encodeURIComponent(view.version)}${artifact}`
    }
    case 'compare':
      return `${PATH}?compare=${view.versions.map(encodeURIComponent).join(',')}`
    case 'record':
      return view.version === null ? `${PATH}?record` : `${PATH}?record=${encodeURIComponent(view.version)}`
    default:
      return view satisfies never
  }
}

export const HOME: View = { kind: 'home' }
export const modelPage = (version: string, artifactId: string | null = null): string =>
  linkTo({ kind: 'model', version, artifactId })
