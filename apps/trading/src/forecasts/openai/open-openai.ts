import type { OpenaiSettings } from '@shapecast/platform/settings'
import { type AskModel, openModel } from './ask-model.ts'
import type { OpenaiServiceDeps } from './openai-service.ts'

const DEFAULT_MODEL = 'gpt-4o-mini'

/** The server of the settings; null without a key. The library is loaded with the first question. */
export function serverOf({ apiKey, baseUrl, model, usdPerMillion }: OpenaiSettings): OpenaiServiceDeps['server'] {
  if (apiKey === null) return null
  const named = model ?? DEFAULT_MODEL
  let opened: Promise<AskModel> | undefined
  const ask: AskModel = async (messages) => {
    opened ??= openModel({ apiKey, baseUrl, model: named })
    return (await opened)(messages)
  }
  return { model: named, ask, usdPerMillion }
}
