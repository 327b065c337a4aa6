import { expect, it } from 'vitest'
import { formatFileSize } from './file-size.ts'

it('counts in thousands, never less than one', () => {
  expect([12, 4_499, 999_400, 1_520_000].map(formatFileSize)).toEqual(['1 kB', '4 kB', '999 kB', '1.5 MB'])
})
