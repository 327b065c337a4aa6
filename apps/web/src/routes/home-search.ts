import { createContext } from 'react'

/** What was chosen on the Data Center when it was last seen, as its query, so that the way back leads to it. */
export const HomeSearchContext = createContext('')
