import { decimal } from './binance-numbers.ts'
import { type LocalPosition, liquidationPrice, MAINTENANCE, resultAt } from './isolated-margin.ts'
import type { LocalOrder } from './order-book.ts'

/** What replies tell of a futures account. */
interface Told {
  readonly wallet: number
  readonly positions: ReadonlyMap<string, LocalPosition>
  available(): number
  mark(symbol: string): number
}

/** GET /fapi/v1/premiumIndex of one symbol */
export const premiumIndexReply = (account: Told, symbol: string, now: number): object => ({
  symbol,
  markPrice: decimal(account.mark(symbol)),
  indexPrice: decimal(account.mark(symbol)),
  estimatedSettlePrice: decimal(account.mark(symbol)),
  lastFundingRate: '0.00010000',
  interestRate: '0.00010000',
  nextFundingTime: now + 3_600_000,
  time: now,
})

/** GET /fapi/v3/positionRisk */
export function riskReplies(account: Told, now: number, symbol?: string): object[] {
  return [...account.positions]
    .filter(([s, p]) => p.amount !== 0 && (symbol === undefined || s === symbol))
    .map(([s, p]) => {
      const mark = account.mark(s)
      const notional = p.amount * mark
      const { margin } = p
      const left = decimal(margin + resultAt(p, mark))
      return {
        symbol: s,
        positionSide: 'BOTH',
        positionAmt: String(p.amount),
        entryPrice: String(p.entry),
        breakEvenPrice: String(p.entry),
        markPrice: decimal(mark),
        unRealizedProfit: decimal(resultAt(p, mark)),
        liquidationPrice: decimal(liquidationPrice(p)),
        isolatedMargin: p.isolated ? left : '0',
        notional: decimal(notional),
        marginAsset: 'USDT',
        isolatedWallet: p.isolated ? decimal(margin) : '0',
        initialMargin: decimal(margin),
        maintMargin: decimal(Math.abs(notional) * MAINTENANCE),
        positionInitialMargin: decimal(margin),
        openOrderInitialMargin: '0',
        adl: 2,
        bidNotional: '0',
        askNotional: '0',
        updateTime: now,
      }
    })
}

/** GET /fapi/v3/account */
export function futuresAccountReply(account: Told, now: number): object {
  const unrealised = [...account.positions].reduce((sum, [s, p]) => sum + resultAt(p, account.mark(s)), 0)
  const available = decimal(account.available())
  const margin = decimal([...account.positions.values()].reduce((sum, p) => sum + p.margin, 0))
  const asset = {
    asset: 'USDT',
    walletBalance: decimal(account.wallet),
    unrealizedProfit: decimal(unrealised),
    marginBalance: decimal(account.wallet + unrealised),
    maintMargin: '0',
    initialMargin: margin,
    positionInitialMargin: margin,
    openOrderInitialMargin: '0',
    crossWalletBalance: decimal(account.wallet),
    crossUnPnl: decimal(unrealised),
    availableBalance: available,
    maxWithdrawAmount: available,
    updateTime: now,
  }
  return {
    totalInitialMargin: asset.initialMargin,
    totalMaintMargin: '0',
    totalWalletBalance: asset.walletBalance,
    totalUnrealizedProfit: asset.unrealizedProfit,
    totalMarginBalance: asset.marginBalance,
    totalPositionInitialMargin: asset.positionInitialMargin,
    totalOpenOrderInitialMargin: '0',
    totalCrossWalletBalance: asset.walletBalance,
    totalCrossUnPnl: asset.unrealizedProfit,
    availableBalance: available,
    maxWithdrawAmount: available,
    assets: [asset],
    positions: riskReplies(account, now),
  }
}

/** GET and POST /fapi/v1/order */
export const futuresOrderReply = (o: LocalOrder): object => ({
  orderId: o.orderId,
  symbol: o.symbol,
  status: o.status,
  clientOrderId: o.clientOrderId,
  price: String(o.price),
  avgPrice: o.filled > 0 ? (o.filledQuote / o.filled).toFixed(8) : '0.00',
  origQty: String(o.qty),
  executedQty: String(o.filled),
  cumQty: String(o.filled),
  cumQuote: decimal(o.filledQuote),
  timeInForce: o.timeInForce,
  type: o.type,
  reduceOnly: o.reduceOnly,
  closePosition: false,
  side: o.side,
  positionSide: 'BOTH',
  stopPrice: '0',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  origType: o.type,
  priceMatch: 'NONE',
  selfTradePreventionMode: 'NONE',
  goodTillDate: 0,
  time: o.timeMs,
  updateTime: o.updatedMs,
})

/** GET /fapi/v1/userTrades of one order */
export const futuresTradesReply = (o: LocalOrder): object[] =>
  o.fills.map((f) => ({
    symbol: o.symbol,
    id: f.tradeId,
    orderId: o.orderId,
    side: o.side,
    price: decimal(f.price),
    qty: String(f.qty),
    realizedPnl: '0',
    quoteQty: decimal(f.qty * f.price),
    commission: decimal(f.commission),
    commissionAsset: f.commissionAsset,
    time: o.updatedMs,
    positionSide: 'BOTH',
    buyer: o.side === 'BUY',
    maker: false,
  }))
