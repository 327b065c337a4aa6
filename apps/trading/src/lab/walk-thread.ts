import type { SearchGround } from '@shapecast/engine/search/search-runs'
import type { Fold } from '@shapecast/engine/walk-forward/folds'
import { chooseFold, type FoldChoice, stitchFolds, type WalkResult } from '@shapecast/engine/walk-forward/walk-forward'
import { standBack } from '@shapecast/ml/train/stand-back'
import { serveCalls } from '@shapecast/platform/threads/serve-calls'

interface WalkStart {
  readonly ground: SearchGround
  readonly folds: readonly Fold[]
  readonly minTrades: number
}

let walk: WalkStart | undefined

const walkCalls = {
  begin(start: WalkStart): void {
    walk = start
  },
  choose: (fold: number): FoldChoice => chooseFold(walk!.ground, walk!.folds[fold]!, walk!.minTrades),
  stitch: (choices: readonly FoldChoice[]): WalkResult => stitchFolds(walk!.ground, walk!.folds, choices),
  end(): void {
    walk = undefined
  },
}
/** What the thread of a walk answers. */
export type WalkCalls = typeof walkCalls

standBack()
serveCalls(walkCalls)
