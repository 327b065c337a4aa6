import { ALL_MODEL_TERMS } from './model-terms.ts'
import { TRADING_TERMS } from './trading-terms.ts'

const meanings = new Map([...TRADING_TERMS, ...ALL_MODEL_TERMS].map(([word, meaning]) => [word.toLowerCase(), meaning]))

/** What a label means; undefined where it says it itself. */
export const meaningOf = (label: string): string | undefined => meanings.get(label.toLowerCase())
