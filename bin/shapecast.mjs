#!/usr/bin/env node
import { createRequire } from 'node:module'

// Kept to what Node 18 understands: the shell's Node may be older than the one that the project brings along.
const require = createRequire(import.meta.url)
const { at, runProgram, setUp } = require('../scripts/setup.cjs')

const args = process.argv.slice(2)
const node = setUp({ web: args[0] === 'start' })
runProgram(node, at('apps', 'shapecast', 'src', 'cli.ts'), args, process.cwd())
