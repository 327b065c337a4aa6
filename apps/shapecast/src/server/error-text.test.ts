import { mkdtempSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TrainParams } from '@shapecast/contracts/trainings'
import { describe, expect, it } from 'vitest'
import { errorText } from './error-text.ts'

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('errorText', () => {
  it('names the file that is not there', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'shapecast-')), 'none.csv')
    expect(errorText(thrownBy(() => readFileSync(path)))).toBe(`${path} does not exist.`)
  })

  it('names the option whose value does not fit, as it is written', () => {
    const error = thrownBy(() => TrainParams.parse({ epochs: 0, lstmHidden: 4 }))
    expect(errorText(error).split('\n')).toEqual([
      expect.stringMatching(/^--epochs: .*>=1/),
      expect.stringMatching(/^--lstm-hidden: .*>=8/),
    ])
  })

  it('says that the database does not answer, and where to look', async () => {
    const socket = connect({ port: 1, host: '127.0.0.1' })
    const refused = await new Promise<Error>((resolve) => socket.on('error', resolve))
    expect(errorText(refused)).toMatch(/^The database does not answer \(.*ECONNREFUSED.*DATABASE_URL/)
    expect(errorText(new AggregateError([refused]))).toBe(errorText(refused))
  })

  it('leaves every other text as it is', () => {
    expect(errorText(new Error('No candles.'))).toBe('No candles.')
    expect(errorText('odd')).toBe('odd')
  })
})
