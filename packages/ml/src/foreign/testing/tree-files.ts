import { readFileSync } from 'node:fs'

/** Small trees as their exporters write them (make-trees.py), kept beside this file. */
export const treeFile = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`./${name}.onnx`, import.meta.url)))

/** What the library that made a file says of five rows of four inputs, sin(0.37 k). */
export const treeAnswers = (name: string): number[][] | number[] =>
  JSON.parse(readFileSync(new URL('./trees.fixture.json', import.meta.url), 'utf8'))[name]

/** The card that the author of a classifier would write. */
export const TREE_CARD = {
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'A LightGBM',
  timeframe: '1h',
  lookback: 1,
  output: 'classes',
  inputs: [
    { name: 'return_1' },
    { name: 'range', mean: 1.5, sd: 1 },
    { name: 'log_sigma', mean: -5, sd: 0.5 },
    { name: 'volume_z' },
  ],
}
