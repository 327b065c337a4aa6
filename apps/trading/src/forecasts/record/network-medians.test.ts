import { describe, expect, it } from 'vitest'
import { medianColumn } from './shown-prediction.ts'

const column = (value: number) => Float64Array.of(value)

describe('the two medians of a reply', () => {
  it.each([
    ['of a model with both networks are theirs', { lstm: column(1), transformer: column(2) }, 1, 2],
    ['of an upload are its only one', { uploaded: column(3) }, 3, 3],
    ['of a model with one of the two and another are its own and the other', { gru: column(4), lstm: column(5) }, 5, 4],
  ])('%s', (_what, medians, lstm, transformer) => {
    expect(medianColumn({ medians }, 'lstm')[0]).toBe(lstm)
    expect(medianColumn({ medians }, 'transformer')[0]).toBe(transformer)
  })
})
