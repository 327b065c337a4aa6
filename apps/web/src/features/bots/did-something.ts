import type { BotDecision } from '@shapecast/contracts/bot-decisions'

/** Whether a decision led to an order. */
export const didSomething = (action: BotDecision['action']): boolean => action !== 'no_order' && action !== 'held'
