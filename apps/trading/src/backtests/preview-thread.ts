import { serveCalls } from '@shapecast/platform/threads/serve-calls'
import { previewOf } from './preview-run.ts'

const previewCalls = { preview: previewOf }
/** What the thread that works out previews answers. */
export type PreviewCalls = typeof previewCalls

serveCalls(previewCalls)
