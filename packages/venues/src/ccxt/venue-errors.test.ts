import { AppError, type ErrorCode } from '@shapecast/contracts/errors'
import { describe, expect, it } from 'vitest'
import { classNames } from './calls/class-names.ts'
import { CODES_OF_CLASSES, venueErrorOf } from './venue-errors.ts'

type ErrorClass = new (message: string) => Error
const { default: classes } = (await import(new URL('./src/base/errors.js', import.meta.resolve('ccxt')).href)) as {
  default: Readonly<Record<string, ErrorClass>>
}

const UNREACHABLE = ['venue_unreachable', 'order_ambiguous'] as const
const REFUSED = ['unprocessable', 'order_rejected'] as const
const both = (code: ErrorCode) => [code, code] as const

/** Every error class of ccxt: what it is for a question, and for an order. */
const EXPECTED: Readonly<Record<string, readonly [ErrorCode, ErrorCode]>> = {
  BaseError: UNREACHABLE,
  ExchangeError: REFUSED,
  AuthenticationError: both('venue_auth_failed'),
  PermissionDenied: both('venue_auth_failed'),
  AccountNotEnabled: both('venue_auth_failed'),
  AccountSuspended: both('venue_auth_failed'),
  ArgumentsRequired: REFUSED,
  BadRequest: REFUSED,
  BadSymbol: both('unknown_symbol'),
  OperationRejected: REFUSED,
  NoChange: REFUSED,
  MarginModeAlreadySet: REFUSED,
  MarketClosed: REFUSED,
  ManualInteractionNeeded: REFUSED,
  RestrictedLocation: ['venue_unreachable', 'order_rejected'],
  InsufficientFunds: both('insufficient_funds'),
  InvalidAddress: REFUSED,
  AddressPending: REFUSED,
  InvalidOrder: both('order_rejected'),
  OrderNotFound: both('not_found'),
  OrderNotCached: both('not_found'),
  OrderImmediatelyFillable: both('order_rejected'),
  OrderNotFillable: both('order_rejected'),
  DuplicateOrderId: both('order_rejected'),
  ContractUnavailable: both('order_rejected'),
  NotSupported: REFUSED,
  InvalidProxySettings: both('venue_unreachable'),
  ExchangeClosedByUser: UNREACHABLE,
  OperationFailed: UNREACHABLE,
  NetworkError: UNREACHABLE,
  DDoSProtection: both('venue_rate_limited'),
  RateLimitExceeded: both('venue_rate_limited'),
  ExchangeNotAvailable: UNREACHABLE,
  OnMaintenance: UNREACHABLE,
  InvalidNonce: both('venue_auth_failed'),
  ChecksumError: UNREACHABLE,
  RequestTimeout: UNREACHABLE,
  BadResponse: UNREACHABLE,
  NullResponse: UNREACHABLE,
  CancelPending: UNREACHABLE,
  UnsubscribeError: UNREACHABLE,
}

const codeOf = (error: unknown, doing: 'reading' | 'ordering'): ErrorCode | undefined => {
  const ours = venueErrorOf(error, 'binance', doing, undefined)
  return ours instanceof AppError ? ours.code : undefined
}

describe('an error of ccxt', () => {
  it('has its meaning here, whatever its class', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(classes).sort())
    for (const name of Object.keys(CODES_OF_CLASSES)) expect(classes).toHaveProperty(name)
  })

  it.each(Object.entries(EXPECTED))('%s is %j for a question and an order', (name, codes) => {
    const error = new classes[name]!('it says')
    expect([codeOf(error, 'reading'), codeOf(error, 'ordering')]).toEqual(codes)
    expect((venueErrorOf(error, 'binance', 'reading', undefined) as AppError).cause).toBe(error)
  })

  it('means what its parent class means when it is a newer class', () => {
    class SelfTrade extends (classes.InvalidOrder!) {}
    expect(codeOf(new SelfTrade('no'), 'ordering')).toBe('order_rejected')
    expect(classNames(new SelfTrade('no'))).toEqual(['SelfTrade', 'InvalidOrder', 'ExchangeError', 'BaseError'])
  })

  it('before anything was sent leaves no doubt about an order', () => {
    const failed = (why: string) => codeOf(new classes.NetworkError!(`fetch failed: ${why}`), 'ordering')
    for (const host of ['connect ECONNREFUSED 127.0.0.1:1', 'connect EHOSTUNREACH 10.0.0.1:443'])
      expect(failed(host)).toBe('venue_unreachable')
    for (const name of ['getaddrinfo ENOTFOUND api.binance.com', 'getaddrinfo EAI_AGAIN api.binance.com'])
      expect(failed(name)).toBe('venue_unreachable')
    expect(failed('Connect Timeout Error (attempted address: api.binance.com:443)')).toBe('venue_unreachable')
    // A connection that stood may have carried the order.
    for (const lost of ['read ECONNRESET', 'read EHOSTUNREACH', 'write ENETUNREACH', 'read ECONNREFUSED'])
      expect(failed(lost)).toBe('order_ambiguous')
  })

  it('leaves doubt about an order under a 5xx status, even when it sounds like a refusal', () => {
    for (const name of ['ExchangeError', 'InvalidOrder', 'InsufficientFunds', 'RateLimitExceeded'] as const) {
      const error = new classes[name]!('no')
      const facts = { status: 503, retryAfterS: undefined }
      expect(venueErrorOf(error, 'binance', 'ordering', facts)).toMatchObject({ code: 'order_ambiguous' })
      expect(venueErrorOf(error, 'binance', 'ordering', { ...facts, status: 400 })).not.toMatchObject({
        code: 'order_ambiguous',
      })
    }
  })

  it('says how long to wait, as the reply did', () => {
    const error = new classes.DDoSProtection!('429')
    const limited = (facts: Parameters<typeof venueErrorOf>[3]) => venueErrorOf(error, 'binance', 'reading', facts)
    expect(limited({ status: 429, retryAfterS: 17 })).toMatchObject({ retryAfterS: 17 })
    expect(limited({ status: 429, retryAfterS: undefined })).toMatchObject({ retryAfterS: 10 })
  })
})

describe('an error of ours or of the program', () => {
  it('stays what it is', () => {
    const ours = new AppError('no_candles', 'none')
    expect(venueErrorOf(ours, 'binance', 'ordering', undefined)).toBe(ours)
    const bug = new TypeError('x is not a function')
    expect(venueErrorOf(bug, 'binance', 'reading', undefined)).toBe(bug)
  })

  it('in the middle of an order leaves the order in doubt', () => {
    expect(codeOf(new TypeError('x is not a function'), 'ordering')).toBe('order_ambiguous')
    expect(codeOf(Object.assign(new Error('gone'), { code: 'UND_ERR_ABORTED' }), 'reading')).toBe('venue_unreachable')
  })
})
