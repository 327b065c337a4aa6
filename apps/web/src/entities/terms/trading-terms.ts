import type { Term } from '#kit/ui/folded.tsx'

/** The words of bots, backtests and money. */
export const TRADING_TERMS: readonly Term[] = [
  ['Signal', 'What a model says to do at a candle close: BUY, SELL or HOLD, with how sure it is.'],
  ['Avg confidence', 'How sure the model was of its BUYs and SELLs, on average. 50% is a coin.'],
  [
    'Profit factor',
    'What the winning trades earned, divided by what the losing ones lost, after costs. Above 1 it earned; from few trades it tells little.',
  ],
  [
    'Sharpe-like',
    'Return for risk: the mean of the returns divided by how much they vary, for a year. Above 1 is good where it lasts; a few weeks cannot show it.',
  ],
  [
    'Win rate',
    'The share of closed trades that earned something. A bot can win often and lose money, and the reverse.',
  ],
  [
    'Max drawdown',
    'The deepest fall from a peak of the balance, in percent. As a limit: where the bot closes and pauses.',
  ],
  ['Drawdown now', 'How far the balance, open positions included, stands below its highest value so far.'],
  [
    '95% interval',
    'Where the true figure may well lie, given how little was seen: drawn from the closed trades, or for a policy from its daily returns. A return whose interval holds 0 may be luck either way. Below 30 of them, or 5 wins and 5 losses, there is none.',
  ],
  [
    'In-sample, unseen',
    'Candles that the model learnt from, and those that it did not. Only the unseen ones judge it.',
  ],
  [
    'Buy and hold',
    'The same money put into the coin at the start and left there: what a bot has to be measured against.',
  ],
  ['Slippage', 'How much worse than the shown price an order is filled. 5 bps are 0.05%.'],
  ['bps', 'Basis points: hundredths of a percent. 100 bps are 1%.'],
  ['Funding', 'What holders of futures pay each other every few hours. Paid or received, it counts into the result.'],
  [
    'Leverage',
    'How many times its margin a futures position is worth. At 10× a move of 10% against it takes all of it.',
  ],
  ['Margin', 'The money that a futures position sets aside. Isolated: no more than that can be lost with it.'],
  ['Liquidation', 'The price at which the exchange closes a futures position, because its margin is used up.'],
  ['Take profit', 'A price in one’s favour at which a position is closed by itself.'],
  [
    'Stop loss',
    'A price against one at which a position is closed by itself. In a fast market it is filled at a worse one.',
  ],
  ['Edge', 'What a trade is expected to earn after its costs. Below cost it is better not to trade.'],
  ['Policy', 'How forecasts become trades: by the model’s signal, or by holding a share of the balance.'],
  ['Turnover', 'How often in a year the whole balance is traded. Each time costs fee and slippage.'],
  ['Position size', 'What one trade is worth: an amount of coins, of USDT, or a share of the balance.'],
  [
    'Virtual, real money',
    'A virtual bot trades made-up money at the prices of the market. A real one sends orders to an exchange.',
  ],
]
