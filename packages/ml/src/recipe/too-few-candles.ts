import { AppError } from '@shapecast/contracts/errors'

/** The candles do not suffice. The text says how many there are and how many are needed. */
export class TooFewCandles extends AppError {
  readonly have: number
  readonly need: number

  constructor(have: number, need: number, detail = 'Choose a longer range or a smaller timeframe.') {
    super('too_few_candles', `Training needs at least ${need} candles and there are ${have}. ${detail}`)
    this.name = 'TooFewCandles'
    this.have = have
    this.need = need
  }
}
