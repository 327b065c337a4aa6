import type { AlertRule } from '@shapecast/contracts/alerts'
import { priceWords } from '../bots/amount-words.ts'

const spanWords = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`)

/** What an alert watches, in a clause: `BTCUSDT above 70,000.00`. `botName` is of the bot that it names. */
export function aboutOf(rule: AlertRule, botName: string): string {
  switch (rule.kind) {
    case 'price':
      return `${rule.symbol} ${rule.direction} ${priceWords(rule.price)}`
    case 'indicator':
      return `${rule.condition} on ${rule.symbol} ${rule.timeframe}`
    case 'signal':
      return `${rule.signal} on ${rule.symbol} ${rule.timeframe}`
    case 'drawdown':
      return `${botName} at a drawdown of ${rule.pct}%`
    case 'bot_silent':
      return `${botName} silent for ${spanWords(rule.minutes)}`
    case 'feed_silent':
      return `${rule.symbol} ${rule.timeframe} without candles for ${spanWords(rule.minutes)}`
    default:
      return rule satisfies never
  }
}

/** What is said when it rings. */
export function ringWords(rule: AlertRule, value: number): string {
  switch (rule.kind) {
    case 'price':
      return `The price is ${priceWords(value)}.`
    case 'indicator':
      return 'The condition became true at the last close.'
    case 'signal':
      return 'The current model says so since the last close.'
    case 'drawdown':
      return `Its equity is ${value.toFixed(2)}% below its highest.`
    case 'bot_silent':
      return 'It is active and does not decide. Look at its page, and whether workers run.'
    case 'feed_silent':
      return 'Candles stopped coming. Look whether the exchange answers, and whether the feed runs.'
    default:
      return rule satisfies never
  }
}
