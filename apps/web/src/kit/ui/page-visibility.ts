import { createContext, useContext } from 'react'

export const PageVisibilityContext = createContext(true)

/** False while a page that stays mounted is hidden behind another one: a time to stop polling and drawing. */
export const usePageVisible = (): boolean => useContext(PageVisibilityContext)
