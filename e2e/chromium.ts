import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import chromium from '@sparticuz/chromium'

/** The package unpacks its browser into the temporary folder, where another user's copy may stand: this one is ours. */
async function unpackedChromium(): Promise<string> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = resolve(import.meta.dirname, '../node_modules/.cache/chromium')
  mkdirSync(process.env.TMPDIR, { recursive: true })
  const path = await chromium.executablePath()
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  return path
}

// Of the package's switches those are left out that weaken the page's own protections, which the tests need to hold,
// and the single process, in which one closed page takes the browser with it; and the emulated GPU, which draws a moving
// page several times slower than no GPU does.
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--single-process',
  '--in-process-gpu',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
])

/** How the browser is started: the one that CHROME_PATH names, or the one that comes with the project. */
export const launchOptions = {
  executablePath: process.env.CHROME_PATH ?? (await unpackedChromium()),
  args: [...chromium.args.filter((argument) => !unwanted.has(argument)), '--disable-gpu'],
}
