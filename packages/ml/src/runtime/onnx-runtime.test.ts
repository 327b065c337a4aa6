import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import './onnx-runtime.ts'

const require = createRequire(import.meta.url)
const folder = dirname(dirname(require.resolve('onnxruntime-node')))
const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('the model runtime phones nobody', () => {
  it('is pinned to the version that has no telemetry, exactly, and that is the one installed', () => {
    expect(manifest(new URL('../../package.json', import.meta.url).pathname).dependencies['onnxruntime-node']).toBe(
      '1.27.0',
    )
    expect(manifest(join(folder, 'package.json')).version).toBe('1.27.0')
  })

  it('has no address to report to in its libraries', () => {
    const libraries = readdirSync(join(folder, 'bin'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.startsWith(join('napi-v6', process.platform, process.arch)))
      .filter((file) => /\.(so(\.\d+)*|dylib|dll|node)$/.test(file))
    expect(libraries.length).toBeGreaterThan(1)
    for (const file of libraries) {
      const bytes = readFileSync(join(folder, 'bin', file))
      for (const trace of ['events.data.microsoft.com', 'ORT_DISABLE_TELEMETRY']) {
        expect(bytes.includes(trace), `${file} mentions ${trace}`).toBe(false)
      }
    }
  })

  it('would be told not to, were it another', () => expect(process.env.ORT_DISABLE_TELEMETRY).toBe('1'))
})
