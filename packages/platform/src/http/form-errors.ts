import { AppError } from '@shapecast/contracts/errors'

/** What the reader of forms throws without any code: no boundary, or a useless one, or the end came too early. */
const UNREADABLE = /^(Multipart: Boundary not found|The needle can|.*[Uu]nexpected end of multipart data$)/
const NO_FORM = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_CTP_INVALID_JSON_BODY'])
const TOO_MANY = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'])

/** What was thrown where files are taken: as `bad_input` where the form is to blame, else as it is. */
export function formError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const refuse = (text: string) => new AppError('bad_input', text, { cause: error })
  if (NO_FORM.has(code)) return refuse('Send the files as multipart/form-data.')
  if (TOO_MANY.has(code)) return refuse('The form has more parts than are asked for. Send these alone.')
  if (UNREADABLE.test(error.message))
    return refuse('The form cannot be read: it has no boundary, or did not arrive whole. Send it again.')
  return error
}
