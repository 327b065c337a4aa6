import { useSearchParams } from 'react-router'
import { HomePage } from './home-page.tsx'
import { viewOf } from './view.ts'

/** The Data Center and the pages below it; which one stands in the address. */
export function DataCenterPage() {
  const [search] = useSearchParams()
  const view = viewOf(search)
  switch (view.kind) {
    case 'home':
      return <HomePage />
    default:
      return <HomePage />
  }
}
