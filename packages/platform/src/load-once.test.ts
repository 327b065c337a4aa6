import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

it('leads imports where Node leads them: through links, into folders of another format, and nowhere to what is missing', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shapecast-load-')))
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'plain.js': 'export const where = import.meta.url',
    'old/package.json': '{ "type": "commonjs" }',
    'old/first.js': 'exports.where = __filename',
    'old/second.js': 'exports.where = __filename',
    'elsewhere/linked.js': 'export const where = import.meta.url',
    'main.js': `
      const names = ['./plain.js', './linked.js', './old/first.js', './old/second.js', './missing.js']
      const found = []
      for (const name of names) found.push(await import(name).then((one) => one.where, (error) => error.code))
      console.log(JSON.stringify(found))`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  symlinkSync('elsewhere/linked.js', join(folder, 'linked.js'))
  const hook = pathToFileURL(join(import.meta.dirname, 'load-once.ts')).href
  const found = JSON.parse(
    execFileSync(process.execPath, ['--import', hook, join(folder, 'main.js')], { encoding: 'utf8' }),
  )
  rmSync(folder, { recursive: true })
  const urlOf = (name: string) => pathToFileURL(join(folder, name)).href
  expect(found).toEqual([
    urlOf('plain.js'),
    urlOf('elsewhere/linked.js'),
    join(folder, 'old/first.js'),
    join(folder, 'old/second.js'),
    'ERR_MODULE_NOT_FOUND',
  ])
})
