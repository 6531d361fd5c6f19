import type { IpAddressClass } from '../ip-address.ts';

/** What an address of each class but `public` is, to follow "This is", and what that means for who sees it in a log. */
export const ADDRESS_CLASS_PHRASES: Readonly<
  Record<Exclude<IpAddressClass, 'public'>, { readonly what: string; readonly meaning: string }>
> = {
  loopback: { what: 'a loopback address', meaning: 'It is the machine itself: what a log shows never left it.' },
  private: {
    what: 'a private address',
    meaning:
      'Many networks use it, each for a machine of its own. Who it is only your own DHCP, DNS or inventory can tell.',
  },
  link_local: {
    what: 'a link-local address',
    meaning:
      'A machine gave it to itself on its cable or Wi-Fi; no router passes it on. In clouds 169.254.169.254 serves metadata.',
  },
  shared: {
    what: 'an address of a provider between its customers and the internet (RFC 6598)',
    meaning: 'Only the provider knows which of its customers it was.',
  },
  multicast: { what: 'a multicast address', meaning: 'It is a group of receivers, not one machine.' },
  documentation: {
    what: 'an address for documents and examples',
    meaning: 'Nobody has it. In a log it was forged, or copied from an example.',
  },
  benchmarking: {
    what: 'an address for tests of network devices (RFC 2544)',
    meaning: 'It is not used on the internet; some tunnels and proxies use it inside.',
  },
  translated: {
    what: 'an IPv6 form of an IPv4 address, reached through a gateway',
    meaning: 'Look up the IPv4 address that is in it.',
  },
  reserved: {
    what: 'a reserved address',
    meaning: 'It is not assigned to anybody. In a log it was forged or mistyped.',
  },
};
