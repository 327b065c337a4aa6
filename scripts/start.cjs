'use strict'
const { at, endWithNpm, runProgram, setUp } = require('./setup.cjs')

const node = setUp()
runProgram(node, at('apps', 'shapecast', 'src', 'main.ts'), [])
endWithNpm(process)
