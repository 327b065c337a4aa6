import { serveCalls } from '@shapecast/platform/threads/serve-calls'
import { previewOf } from './preview-run.ts'
import { rulePreviewOf } from './rule-preview.ts'

const previewCalls = { preview: previewOf, rule: rulePreviewOf }
/** What the thread that works out previews answers. */
export type PreviewCalls = typeof previewCalls

serveCalls(previewCalls)
