import type { BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { botOpenaiUse } from '@shapecast/contracts/openai'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Asker } from '../../ground/ownership.ts'
import type { OpenaiService } from './openai-service.ts'

/** What a bot's calls cost; `read` throws `not_found` where the caller may not see the bot. */
export function openaiRoutes(
  app: ServiceApp,
  openai: OpenaiService,
  read: (id: string, viewer: Asker) => Promise<BotRecord>,
): void {
  registerEndpoint(app, botOpenaiUse, async ({ params, caller }) => {
    const bot = await read(params.id, caller)
    if (bot.userId !== caller.userId && caller.role !== 'admin')
      throw new AppError('forbidden', 'Only its owner or an admin may see what this bot costs.')
    return openai.use(bot.id, bot.parameters?.openaiCallsADay)
  })
}
