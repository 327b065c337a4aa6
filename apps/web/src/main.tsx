import '@fontsource-variable/inter/opsz.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app/app.tsx'

// zod would compile its parsers with `new Function`, which a content security policy forbids.
z.config({ jitless: true })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
