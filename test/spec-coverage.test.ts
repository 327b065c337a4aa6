import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** How many promises may stand without a test. */
const MOST_NOT_CHECKED = 12
const BETWEEN_CELLS = /(?<!\\)\|/

const text = textOf('docs/spec-coverage.md')
const rowsOf = (table: string) =>
  table
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---') && !line.startsWith('| promise'))
    .map((line) => line.split(BETWEEN_CELLS).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('\\|', '|')))
const rows = rowsOf(text)
const isNotChecked = ([, reason = '']: string[]) => /^not checked: \S.{10}/.test(reason)

/** The titles of a file's tests and groups, as they are written. */
const titlesIn = (path: string) =>
  [...textOf(path).matchAll(/(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(
    ([, , title]) => title!.replaceAll("\\'", "'"),
  )

/** Whether a row does not name a promise and one test of a file that exists. */
function isWrong(row: string[]): boolean {
  const [promise, path, title] = row
  if (row.length !== 3 || promise === '') return true
  if (!path || !title || !/\.(test|spec)\.tsx?$/.test(path) || !existsSync(join(root, path))) return true
  return titlesIn(path).filter((one) => one.includes(title)).length !== 1
}

describe('docs/spec-coverage.md', () => {
  it('names one test that exists for every promise, or says why none checks it', () => {
    expect([...text.matchAll(/^## (\d)\. .*\n+(?:###.*\n+)?\| promise/gm)].map(([, number]) => Number(number))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    )
    expect(rows.filter((row) => (isNotChecked(row) ? row[2] !== '' : isWrong(row)))).toEqual([])
  })

  it(`leaves at most ${MOST_NOT_CHECKED} promises without a test`, () =>
    expect(rows.filter(isNotChecked).length).toBeLessThanOrEqual(MOST_NOT_CHECKED))
})

it('docs/security.md names one test that exists for every promise', () => {
  const [, table = ''] = /\n## Each promise, and its test\n(.*?)\n## /s.exec(textOf('docs/security.md')) ?? []
  const promises = rowsOf(table)
  expect(promises.length).toBeGreaterThan(40)
  expect(promises.filter(isWrong)).toEqual([])
})
