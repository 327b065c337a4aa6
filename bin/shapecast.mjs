#!/usr/bin/env node
import { createRequire } from 'node:module'

// Kept to what Node 18 understands: the shell's Node may be older than the one that the project brings along.
const require = createRequire(import.meta.url)
const { at, runProgram, setUp } = require('../scripts/setup.cjs')

const args = process.argv.slice(2)
const serves = args[0] === 'start'
const node = setUp({ web: serves })
// A command lives shortly: a small nursery keeps its memory low (an import of 2 GB: 163 MB instead of 332).
const flags = serves ? [] : ['--max-semi-space-size=4']
runProgram(node, at('apps', 'shapecast', 'src', 'cli.ts'), args, { cwd: process.cwd(), flags })
