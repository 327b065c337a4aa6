import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an IP address is of the public Internet: not of this machine, a private network, or made for translation. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

export const REFUSED_ADDRESS = 'The address leads to this machine or a private network, which an admin has to allow.'

/** What a URL's host is where it is an IP address; null where it is a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : host
}

/**
 * A name's addresses for a connection, where every one of them is public. The connection goes to what was checked here:
 * a name that says another address a moment later changes nothing.
 */
export const lookUpPublic: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, [])
    if (addresses.some(({ address }) => !isPublicAddress(address))) return done(new Error(REFUSED_ADDRESS), [])
    if (options.all) return done(null, addresses)
    const [first] = addresses
    done(null, first!.address, first!.family)
  })
}
