import './drawn-style.ts'
import { vi } from 'vitest'

// Each test file has the product's modules and a document of its own; packages and the window stay.
vi.resetModules()
window.localStorage.clear()
window.sessionStorage.clear()
document.body.replaceChildren()
