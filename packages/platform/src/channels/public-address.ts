import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'

const listOf = (family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/')
    list.addSubnet(address!, Number(bits), family)
  }
  return list
}

/** IPv4 with a purpose of its own (IANA's special-purpose registry, RFC 6890), multicast, and what was never given out. */
const SPECIAL_IPV4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
/** Of IPv6 this alone is given out as global unicast (RFC 4291); IPv4 in whatever disguise lies outside, or below. */
const GLOBAL_IPV6 = listOf('ipv6', ['2000::/3'])
/** IANA's special-purpose registry within it: protocols, Teredo, 6to4, documentation, servers of AS112. */
const SPECIAL_IPV6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/** Whether an IP address is of the public Internet: global unicast without a special purpose. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_IPV4.check(address, 'ipv4')
    case 6:
      return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6')
    default:
      return false
  }
}

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
