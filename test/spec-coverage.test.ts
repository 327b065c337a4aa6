import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** How many promises may stand without a test. */
const MOST_NOT_CHECKED = 12
const BETWEEN_CELLS = /(?<!\\)\|/

const text = textOf('docs/spec-coverage.md')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|---') && !line.startsWith('| promise'))
  .map((line) => line.split(BETWEEN_CELLS).slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim().replaceAll('\\|', '|')))
const isNotChecked = ([, reason = '']: string[]) => /^not checked: \S.{10}/.test(reason)

/** The titles of a file's tests and groups, as they are written. */
const titlesIn = (path: string) =>
  [...textOf(path).matchAll(/(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(
    ([, , title]) => title!.replaceAll("\\'", "'"),
  )

describe('docs/spec-coverage.md', () => {
  it('names one test that exists for every promise, or says why none checks it', () => {
    expect([...text.matchAll(/^## (\d)\. .*\n+(?:###.*\n+)?\| promise/gm)].map(([, number]) => Number(number))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    )
    const wrong = rows.filter((row) => {
      const [promise, path, title] = row
      if (row.length !== 3 || promise === '') return true
      if (isNotChecked(row)) return title !== ''
      if (!path || !title || !/\.(test|spec)\.tsx?$/.test(path) || !existsSync(join(root, path))) return true
      return titlesIn(path).filter((one) => one.includes(title)).length !== 1
    })
    expect(wrong).toEqual([])
  })

  it(`leaves at most ${MOST_NOT_CHECKED} promises without a test`, () =>
    expect(rows.filter(isNotChecked).length).toBeLessThanOrEqual(MOST_NOT_CHECKED))
})
