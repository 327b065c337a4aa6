import { AppError } from '@shapecast/contracts/errors'
import type { LiveTrading } from '../live-trading.ts'
import type { AccountDesk } from './account-desk.ts'
import { venuePositionOf } from './account-replies.ts'
import { classNames } from './venue-errors.ts'

type FuturesCalls = Pick<LiveTrading, 'positions' | 'setLeverage' | 'setMarginMode'>

/** The positions of an account, and how they are margined. */
export function futuresCalls({ exchange, marketType, ask, prepare, nameOf, ourSymbol }: AccountDesk): FuturesCalls {
  const futuresOnly = () => {
    if (marketType === 'spot') throw new AppError('order_rejected', 'Leverage and margin mode are for futures.')
  }
  return {
    async positions(symbols) {
      if (marketType === 'spot') return []
      await prepare()
      const names = symbols === undefined ? undefined : await Promise.all(symbols.map(nameOf))
      const all = await ask(() => exchange.fetchPositions(names))
      const open = all.filter((p) => (p.contracts ?? 0) !== 0)
      // Some venues keep the leverage apart from the position.
      const unsaid = open.flatMap((p) => (p.leverage === undefined && p.symbol !== undefined ? [p.symbol] : []))
      const leverages =
        unsaid.length > 0 && exchange.has.fetchLeverages === true
          ? await ask(() => exchange.fetchLeverages(unsaid))
          : {}
      return open.flatMap((p) => {
        const name = p.symbol ?? ''
        return venuePositionOf(p, ourSymbol(name), leverages[name]?.longLeverage) ?? []
      })
    },

    async setLeverage(symbol, leverage) {
      futuresOnly()
      const name = await nameOf(symbol)
      await ask(() => exchange.setLeverage(leverage, name), 'ordering')
    },

    async setMarginMode(symbol, mode) {
      futuresOnly()
      const name = await nameOf(symbol)
      try {
        await ask(() => exchange.setMarginMode(mode, name), 'ordering')
      } catch (error) {
        if (!(error instanceof AppError) || !classNames(error.cause).includes('NoChange')) throw error
      }
    },
  }
}
