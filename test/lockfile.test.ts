import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Entry {
  readonly version?: string
  readonly os?: string | string[]
  readonly cpu?: string | string[]
  readonly bin?: Record<string, string>
  readonly link?: boolean
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
}
const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>
}

describe('the lockfile', () => {
  it('brings one and the same Node to every platform', () => {
    const nodes = Object.entries(packages).filter(([path]) =>
      /^node_modules\/node-(bin-)?(darwin|linux|win)-(x64|arm64)$/.test(path),
    )
    const platforms = nodes.map(([, { os, cpu }]) => `${os} ${cpu}`).sort()
    expect(platforms).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64'])
    expect(new Set(nodes.map(([, { version }]) => version)).size).toBe(1)
  })

  it('carries the integrity of everything that the product runs on, of every platform', () => {
    const bare = Object.entries(packages).filter(
      ([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity?.startsWith('sha512-'),
    )
    // Formatter and parser of other platforms, by which a change is checked and which nobody installs to run it.
    const ofChecks = /^node_modules\/(@biomejs\/cli|@oxc-parser\/binding)-[a-z0-9-]+$/
    expect(bare.filter(([path, { dev, optional }]) => !(dev && optional && ofChecks.test(path)))).toEqual([])
  })
})
