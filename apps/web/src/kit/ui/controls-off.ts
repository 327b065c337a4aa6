import { createContext, use } from 'react'

/**
 * Whether the controls of a page are off. A disabled fieldset turns off buttons and inputs by itself; what is made of
 * other elements (selects, dates, links that look like buttons) asks here.
 */
export const ControlsOffContext = createContext(false)

export const useControlsOff = (): boolean => use(ControlsOffContext)
