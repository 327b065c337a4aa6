import { expect, it } from 'vitest'
import { foldedNameKey, nameKey } from './user-store.ts'

it.each([
  ['admin', 'аdmin', 'a Cyrillic letter'],
  ['Paypal', 'раураl', 'four Cyrillic letters'],
  ['paypal', 'PAYPAL', 'another case'],
  ['Mira', '𝕄𝕚𝕣𝕒', 'mathematical letters'],
  ['mira', 'mi\u200bra', 'an invisible space'],
  ['mira', 'mi\u034fra', 'an invisible joiner'],
  ['mira', 'ｍｉｒａ', 'full width'],
  ['Ann', 'Αnn', 'a Greek letter'],
  ['modern', 'rnodern', 'two letters that look like one'],
  ['lisa', 'Iisa', 'a capital I for a small l'],
  ['rene', 'rené', 'an accent'],
  ['john smith', 'johnsmith', 'a space less'],
])('the names %s and %s are the same: %s', (one, other) => {
  expect(nameKey(other)).toBe(nameKey(one))
})

it.each([
  ['mira', 'mara'],
  ['Иван', 'Ирина'],
  ['user1', 'user2'],
  ['田中', '山本'],
])('the names %s and %s differ', (one, other) => {
  expect(nameKey(other)).not.toBe(nameKey(one))
})

it.each([
  ['admin', 'АDMIN', 'a Cyrillic letter before capitals'],
  ['admin', 'ΑDMΙΝ', 'three Greek capitals'],
  ['Mira Bell', 'МIRА BЕLL', 'capitals of two scripts'],
])('the names %s and %s are the same where a capital I counts as an i: %s', (one, other) => {
  expect(foldedNameKey(other)).toBe(foldedNameKey(one))
})

it.each([
  ['Ella', 'Elia'],
  ['Иван', 'Ирина'],
])('the names %s and %s differ where a capital I counts as an i', (one, other) => {
  expect(foldedNameKey(other)).not.toBe(foldedNameKey(one))
})
