import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ruleFrom } from './rule-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'rule-'))
afterAll(() => rm(folder, { recursive: true }))
const file = async (text: string): Promise<string> => {
  const path = join(folder, 'a rule: mine')
  await writeFile(path, text)
  return path
}

it('a rule is read from text, from a file with text, and from a file with blocks', async () => {
  const text = 'enter: close > sma(20)\ntime: 5'
  const close = { kind: 'series', name: 'close' }
  const sma = { kind: 'indicator', name: 'sma', input: null, parameters: [20] }
  const blocks = { enter: { kind: 'compare', op: '>', left: close, right: sma }, timeCandles: 5 }
  expect(await ruleFrom(text)).toBe(text)
  expect(await ruleFrom(await file(text))).toBe(text)
  expect(await ruleFrom(await file(JSON.stringify(blocks)))).toBe(text)
})

it('refuses blocks that are none, in words', async () => {
  await expect(ruleFrom(await file('{"enter": 3}'))).rejects.toThrow('enter must be a block')
  await expect(ruleFrom(await file('{"enter"'))).rejects.toThrow('JSON')
  await expect(ruleFrom(join(folder, 'none'))).rejects.toThrow('ENOENT')
})
