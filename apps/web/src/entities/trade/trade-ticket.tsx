import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { formatMoney, formatMoneyUnit, formatPrice, formatQuantity } from '#kit/format/money.ts'
import { formatBps, formatChangePct } from '#kit/format/percent.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { type Fact, Facts, Figure } from '#kit/ui/facts.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Columns, Note, Text } from '#kit/ui/primitives.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { errorText, failureText } from '#wire/calls/error-text.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { MarketAgo } from '../markets/market-ago.tsx'
import { OrderQuestion } from './order-question.tsx'
import css from './trade-ticket.module.css'
import { type TradeTicketProps, type TradeTicketState, useTradeTicket } from './use-trade-ticket.ts'

/** Places an order of the own account: what it is worth, costs and leaves is said before it is sent. */
export function TradeTicket(props: TradeTicketProps) {
  const ticket = useTradeTicket(props)
  const { isVirtual, market, balance, base, last, form, found, title, guards, wouldMake, written } = ticket
  const { place, draft, setDraft, done, asks, setAsks, send, submit, sizeWords, most, waits } = ticket
  const { values, change } = form
  const { side, type } = values
  const facts = ticketFacts(ticket)
  return (
    <Column gap={2}>
      <QueryBoundary reply={balance} of="the account" />
      <Columns gap={1.5} at={{ xs: 2 }}>
        <div>
          <Figure label="Equity" value={formatMoney(balance.data?.equity)} unit="USDT" />
          <Note tone="text2">Balance {formatMoney(balance.data?.balance)}</Note>
        </div>
        <div>
          <Figure label="Free to use" value={formatMoney(balance.data?.available)} unit="USDT" />
          <Note tone="text2">{formatMoney(balance.data?.reserved)} in orders</Note>
        </div>
      </Columns>
      <Column as="form" gap={2} onSubmit={submit} onBlur={form.onBlur} noValidate>
        <ToggleGroup
          label="Side"
          fullWidth
          value={side}
          onChange={(next) => change({ side: next })}
          choices={[
            {
              value: 'buy',
              tone: 'up',
              label: (
                <>
                  <ArrowUp size={14} aria-hidden /> Buy
                </>
              ),
            },
            {
              value: 'sell',
              tone: 'down',
              label: (
                <>
                  <ArrowDown size={14} aria-hidden /> Sell
                </>
              ),
            },
          ]}
        />
        <ToggleGroup
          label="Order type"
          fullWidth
          value={type}
          onChange={(next) => change({ type: next, ...(next === 'limit' && values.price === null && { price: last }) })}
          choices={{ market: 'Market', limit: 'Limit' }}
        />
        {type === 'limit' && (
          <NumberField
            label="Price"
            unit="USDT"
            step={market?.tickSize || 1}
            {...form.field('price')}
            help={
              last !== null && values.price !== null && values.price > 0
                ? `${formatChangePct((100 * (values.price - last)) / last)} from the live price`
                : 'Press a price on the chart to fill it in'
            }
          />
        )}
        <NumberField
          label="Size"
          unit={
            <div className={css.units}>
              <ToggleGroup
                label="Size in"
                size="small"
                value={values.unit}
                onChange={(unit) => change({ unit, size: null })}
                choices={{ base, quote: 'USDT', pct: '%' }}
              />
            </div>
          }
          step={values.unit === 'base' ? market?.lotSize || 1 : 1}
          {...form.field('size')}
          help={found === null ? undefined : sizeWords(found)}
        />
        {most !== null && (
          <Button variant="text" size="small" className={css.most} onClick={() => change({ unit: 'base', size: most })}>
            Use {formatQuantity(most, market?.lotSize)}
          </Button>
        )}
        <Columns gap={1} at={{ xs: 4 }}>
          {SHARES.map((share) => (
            <Button key={share} size="small" onClick={() => change({ unit: 'pct', size: share })}>
              {share}%
            </Button>
          ))}
        </Columns>
        {guards.length > 0 && (
          <Columns gap={1.5} at={{ xs: 2 }}>
            {guards.map(([name, label, by]) => {
              const exit = values[name]
              const away = exit === null || last === null ? null : formatChangePct((100 * (exit - last)) / last)
              return (
                <NumberField
                  key={name}
                  label={label}
                  labelNote="optional"
                  step={market?.tickSize || 1}
                  {...form.field(name)}
                  help={away === null ? undefined : [away, wouldMake(exit, by)].filter(Boolean).join(', ')}
                />
              )
            })}
          </Columns>
        )}
        <Facts facts={facts} />
        {waits !== null && (
          <Text size="small" tone="text2">
            {waits}
          </Text>
        )}
        {form.failure !== null && draft === null && <Banner kind="error" title={errorText(form.failure, LOST)} />}
        {done !== null && (
          <Text size="small" role="status">
            {done}
          </Text>
        )}
        <Button type="submit" variant="contained" fullWidth {...busyButton(place.isPending)}>
          {place.isPending ? 'Sending…' : type === 'market' ? title : 'Place the order'}
        </Button>
        {isVirtual && (
          <SwitchRow
            title="Ask before it is sent"
            text="With real money it always asks."
            checked={asks}
            onChange={setAsks}
          />
        )}
        <Note tone="text2">
          {isVirtual
            ? 'Virtual money: nothing goes to an exchange.'
            : 'Real money: the order goes to your account at the exchange.'}
        </Note>
      </Column>
      {draft !== null && (
        <OrderQuestion
          title={title}
          draft={draft}
          facts={[
            ...facts,
            ...guards.flatMap(([name, label, by]) =>
              draft[name] === undefined
                ? []
                : [{ label, value: [written(draft[name]), wouldMake(draft[name], by)].filter(Boolean).join(' · ') }],
            ),
          ]}
          price={last}
          tickSize={market?.tickSize}
          isBusy={place.isPending}
          error={failureText(place.error, LOST)}
          onSend={() => send(draft)}
          onClose={() => setDraft(null)}
        />
      )}
    </Column>
  )
}

const SHARES = [10, 25, 50, 100] as const
const LOST = 'The server did not answer. Send it again: the same order is made once.'

/** What an order comes to: price, worth, costs, and what is left. */
function ticketFacts({ isVirtual, market, ticker, last, free, form, found }: TradeTicketState): Fact[] {
  const { side, type, price } = form.values
  return [
    {
      label: type === 'market' ? 'Price, about' : 'Price',
      value: (
        <>
          {type === 'market' ? formatPrice(last, market?.tickSize) : formatPrice(price, market?.tickSize)}
          {type === 'market' && ticker !== undefined && (
            <Text as="span" size="small" tone="text2">
              {' '}
              · <MarketAgo ms={ticker.timestamp} />
            </Text>
          )}
        </>
      ),
    },
    { label: 'Worth', value: formatMoneyUnit(found?.worth, 'USDT') },
    ...(isVirtual
      ? [
          ...(type === 'market' ? [{ label: 'Slippage, about', value: formatMoneyUnit(found?.slippage, 'USDT') }] : []),
          { label: `Fee ${formatBps(10_000 * BACKTEST_DEFAULTS.feeRate)}`, value: formatMoneyUnit(found?.fee, 'USDT') },
          { label: side === 'buy' ? 'It costs' : 'It brings', value: formatMoneyUnit(found?.total, 'USDT') },
          ...(side === 'buy'
            ? [
                {
                  label: 'Free afterwards',
                  value: formatMoneyUnit(found && found.total <= free ? free - found.total : null, 'USDT'),
                },
              ]
            : []),
        ]
      : [{ label: 'Fee', value: 'as the exchange takes it' }]),
  ]
}
