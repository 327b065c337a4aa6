import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The tokens of the dark scheme, so that what is drawn has the colours that they stand for. */
const style = document.createElement('style')
style.textContent = readFileSync(join(import.meta.dirname, '../kit/theme/tokens.css'), 'utf8')
document.head.append(style)
