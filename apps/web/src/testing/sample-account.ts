/** A virtual account that nothing was done with. Quote. */
export const VIRTUAL_BALANCE = {
  isVirtual: true,
  venue: 'simulated',
  market: 'simulated' as const,
  currency: 'USDT',
  startingBalance: 10_000,
  balance: 10_000,
  reserved: 0,
  available: 10_000,
  realisedPnl: 0,
  fees: 0,
  equity: 10_000,
}
